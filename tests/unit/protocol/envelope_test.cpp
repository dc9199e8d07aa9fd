// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/envelope.h"

#include "core/base/json.h"
#include "core/protocol/codec.h"
#include "core/protocol/messages.h"
#include "tests/support/compare.h"

#include <QtTest>

using namespace trialdeck;
using namespace trialdeck::protocol;

namespace {

template<typename Kind>
Kind sentAndReceived(Envelope envelope) {
    const std::string payload = encodeEnvelope(std::move(envelope)).value();
    return std::get<Kind>(decodeEnvelope(payload).value());
}

/// An answer of that many experiments, each some hundred bytes.
StateSubscribeResult longList(size_t count) {
    StateSubscribeResult result;
    for (size_t i = 0; i < count; ++i) {
        ExperimentSummary summary;
        summary.experiment = ExperimentId(std::to_string(i));
        summary.name = std::string(200, 'n');
        result.experiments.push_back(std::move(summary));
    }
    return result;
}

} // namespace

class EnvelopeTest : public QObject {
    Q_OBJECT
private slots:
    void requestsKeepIdMethodAndParams() {
        StopRequest stop;
        stop.experiment = ExperimentId("e-1");
        stop.trial = TrialId(3);
        const auto request = sentAndReceived<Request>(requestOf(RequestId(7), stop));
        QCOMPARE(request.id.raw(), uint64_t{7});
        QCOMPARE(request.method, std::string("experiment.stop"));
        QCOMPARE(decode<StopRequest>(request.params)->trial.value(), TrialId(3));
    }

    void errorsKeepCodeArgumentsAndDetail() {
        const Error error{ErrorCode::experiment_not_found, {{"experiment", "e-1"}}, "stop"};
        const auto response = sentAndReceived<ErrorResponse>(ErrorResponse{RequestId(8), error});
        QCOMPARE(response.id.raw(), uint64_t{8});
        QVERIFY(response.error == error);
    }

    void recordsCarryTheCursorBehindThem() {
        RecordsEvent records;
        records.experiment = ExperimentId("e-1");
        records.epoch = Epoch(2);
        records.first = RecordNumber(11);
        records.last = RecordNumber(19);
        records.lines.data = "{}\n";
        const auto event = sentAndReceived<Event>(eventOf(records));
        QCOMPARE(event.name, std::string("records"));
        QVERIFY(event.cursor == Cursor(Epoch(2), RecordNumber(19)));
        QCOMPARE(decode<RecordsEvent>(event.data)->lines.data, std::string("{}\n"));
        QVERIFY(!sentAndReceived<Event>(eventOf(NodeChangedEvent{})).cursor);
    }

    void recordsLargerThanAFrameAreSplit() {
        RecordsEvent records;
        records.experiment = ExperimentId("3f0c9a52-0000-4000-8000-000000000000");
        records.epoch = Epoch(4'294'967'295);
        records.first = RecordNumber(~uint64_t{0});
        records.last = RecordNumber(~uint64_t{0});
        for (const size_t bytes : {size_t{10}, kMaxFrameBytes - 1024, kMaxFrameBytes, 3 * kMaxFrameBytes}) {
            records.lines.data = std::string(bytes, 'r');
            std::string joined;
            bool complete = false;
            for (RecordsEvent& piece : splitRecords(records)) {
                QVERIFY(!complete);
                complete = !piece.more;
                const auto event = sentAndReceived<Event>(eventOf(std::move(piece)));
                QCOMPARE(event.cursor.has_value(), complete);
                joined += decode<RecordsEvent>(event.data)->lines.data;
            }
            QVERIFY(complete);
            QVERIFY(joined == records.lines.data);
        }
    }

    void packedRecordsAreTheSameLines() {
        RecordsEvent records;
        records.experiment = ExperimentId("e-1");
        records.last = RecordNumber(19);
        records.lines.data = "{}\n";
        packRecords(records);
        // Too few to be worth it.
        QCOMPARE(records.unpackedBytes, uint64_t{0});
        std::string lines;
        for (int line = 0; line < 1'000; ++line)
            lines += "{\"n\": " + std::to_string(line) + "}\n";
        records.lines.data = lines;
        packRecords(records);
        QVERIFY(records.lines.data.size() < lines.size() / 2);
        QCOMPARE(records.lineBytes(), uint64_t{lines.size()});
        auto received = decode<RecordsEvent>(sentAndReceived<Event>(eventOf(records)).data).value();
        QVERIFY(unpackRecords(received).has_value());
        QVERIFY(received.lines.data == lines);
        QCOMPARE(received.lineBytes(), uint64_t{lines.size()});
    }

    void packedRecordsThatLieAreRefused_data() {
        QTest::addColumn<qulonglong>("bytes");
        QTest::newRow("fewer") << 1'999ULL;
        QTest::newRow("more") << 2'001ULL;
        QTest::newRow("without end") << ~0ULL;
    }
    void packedRecordsThatLieAreRefused() {
        QFETCH(qulonglong, bytes);
        RecordsEvent records;
        records.lines.data = std::string(2'000, 'r');
        packRecords(records);
        records.unpackedBytes = bytes;
        QCOMPARE(unpackRecords(records).error().code, ErrorCode::bad_message);
    }

    void whatIsNoEnvelopeIsRefused_data() {
        QTest::addColumn<QString>("json");
        QTest::newRow("no map") << "[]";
        QTest::newRow("nothing known") << "{}";
        QTest::newRow("no method") << R"({"id":1})";
        QTest::newRow("id as text") << R"({"id":"1","method":"hello"})";
        QTest::newRow("negative id") << R"({"id":-1,"method":"hello"})";
        QTest::newRow("params as list") << R"({"id":1,"method":"hello","params":[]})";
        QTest::newRow("cursor of one number") << R"({"event":"records","cursor":[1],"data":{}})";
        QTest::newRow("epoch too large") << R"({"event":"records","cursor":[4294967296,1],"data":{}})";
    }
    void whatIsNoEnvelopeIsRefused() {
        QFETCH(QString, json);
        const std::string payload = encodeCbor(base::parseJson(json.toStdString()).value()).value();
        QCOMPARE(decodeEnvelope(payload).error().code, ErrorCode::bad_message);
    }

    void unknownFieldsOfAnEnvelopeArePassedOver() {
        const std::string payload =
            encodeCbor(Object{{"event", "of the future"}, {"urgency", 9}, {"data", Object{}}}).value();
        QCOMPARE(std::get<Event>(decodeEnvelope(payload).value()).name, std::string("of the future"));
    }

    void aMessageLargerThanAFrameIsRefused() {
        ExperimentCreateRequest create;
        create.yaml = std::string(kMaxFrameBytes, '#');
        QCOMPARE(encodeEnvelope(requestOf(RequestId(1), create)).error().code, ErrorCode::too_large);
    }

    void aSmallAnswerIsOneFrameWithoutPart() {
        auto writer = PartsWriter::create(RequestId(5), encode(HelloResult{})).value();
        const auto response = std::get<Response>(decodeEnvelope(writer.next().value()).value());
        QCOMPARE(response.id.raw(), uint64_t{5});
        QVERIFY(!response.part);
        QVERIFY(!writer.next());
        QVERIFY(decode<HelloResult>(*PartsReader().add(response).value()).has_value());
    }

    void aLargeAnswerComesInParts() {
        const Object answer = encode(longList(2000));
        auto writer = PartsWriter::create(RequestId(5), answer).value();
        PartsReader reader;
        std::optional<Object> joined;
        int frames = 0;
        while (auto payload = writer.next()) {
            ++frames;
            QVERIFY(payload->size() <= kMaxFrameBytes);
            QVERIFY(!joined);
            joined = reader.add(std::get<Response>(decodeEnvelope(*payload).value())).value();
        }
        QVERIFY(frames > 2);
        QVERIFY(joined == answer);
    }

    void everySizeAroundAFrameIsWhole() {
        for (size_t bytes = kMaxFrameBytes - 140; bytes < kMaxFrameBytes + 20; ++bytes) {
            auto writer = PartsWriter::create(RequestId(~uint64_t{0}),
                                              Object{{"d", base::Bytes{std::string(bytes, 'x')}}})
                              .value();
            PartsReader reader;
            std::optional<Object> joined;
            while (auto payload = writer.next()) {
                QVERIFY(payload->size() <= kMaxFrameBytes);
                joined = reader.add(std::get<Response>(decodeEnvelope(*payload).value())).value();
            }
            QCOMPARE(joined->find("d")->asBytes()->data.size(), bytes);
        }
    }

    void partsOutOfOrderAreRefused() {
        const auto part = [](uint32_t number, bool more) {
            return Response{RequestId(1), base::Bytes{"\xa0"}, number, more};
        };
        PartsReader late;
        QCOMPARE(late.add(part(1, false)).error().code, ErrorCode::bad_message);
        PartsReader twice;
        QVERIFY(!twice.add(part(0, true)).value());
        QCOMPARE(twice.add(part(0, true)).error().code, ErrorCode::bad_message);
        PartsReader whole;
        QVERIFY(!whole.add(part(0, true)).value());
        QCOMPARE(whole.add(Response{RequestId(1), Object{}, std::nullopt, false}).error().code,
                 ErrorCode::bad_message);
        PartsReader text;
        QCOMPARE(text.add(Response{RequestId(1), "text", 0, true}).error().code, ErrorCode::bad_message);
    }

    void anEndlessAnswerIsRefused() {
        PartsReader reader;
        const std::string piece(kMaxFrameBytes, 'x');
        for (uint32_t part = 0;; ++part) {
            QVERIFY(part < 1000);
            const auto result = reader.add(Response{RequestId(1), base::Bytes{piece}, part, true});
            if (!result) {
                QCOMPARE(result.error().code, ErrorCode::too_large);
                break;
            }
        }
    }
};

QTEST_APPLESS_MAIN(EnvelopeTest)
#include "envelope_test.moc"
