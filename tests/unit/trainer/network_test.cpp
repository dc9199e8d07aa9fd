// SPDX-License-Identifier: Apache-2.0
#include "trainer/nn/network.h"

#include "core/base/rng.h"
#include "tests/support/compare.h"

#include <cmath>
#include <limits>

using namespace trialdeck;
using namespace trialdeck::trainer::nn;

namespace {

std::vector<float> randomVector(size_t count, const char* purpose, double low = -1, double high = 1) {
    base::Rng rng(3, 0, purpose);
    std::vector<float> values(count);
    for (float& value : values)
        value = static_cast<float>(rng.uniform(low, high));
    return values;
}

/// Mean absolute difference over mean absolute size.
double relativeDifference(const std::vector<float>& a, const std::vector<float>& b) {
    double difference = 0;
    double size = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        difference += std::abs(double{a[i]} - b[i]);
        size += std::abs(double{b[i]});
    }
    return size > 0 ? difference / size : difference;
}

void addKernelRows() {
    QTest::addColumn<int>("level");
    for (size_t i = 0; i < supportedKernels().size(); ++i)
        QTest::newRow(supportedKernels()[i]->name) << static_cast<int>(i);
}

const Kernels& kernelsOf(int level) {
    return *supportedKernels()[static_cast<size_t>(level)];
}

} // namespace

class NetworkTest : public QObject {
    Q_OBJECT
private slots:
    void layoutPacksLayersOneBehindTheOther() {
        const Layout layout(784, {512, 512}, 10);
        QCOMPARE(layout.parameterCount(), size_t{784 * 512 + 512 + 512 * 512 + 512 + 512 * 10 + 10});
        QCOMPARE(layout.widths(), (std::vector<size_t>{784, 512, 512, 10}));
        QCOMPARE(layout.layers()[1].weight, size_t{784 * 512 + 512});
        QCOMPARE(layout.layers()[1].bias, size_t{784 * 512 + 512 + 512 * 512});
    }

    void initialParametersAreUniformWithinPyTorchsBound() {
        const Layout layout(784, {512}, 10);
        const std::vector<float> parameters = initialParameters(layout, 1);
        const double bound = 1 / std::sqrt(784.0);
        double sum = 0;
        double squares = 0;
        const size_t firstLayer = layout.layers()[1].weight;
        for (size_t i = 0; i < firstLayer; ++i) {
            QVERIFY(std::abs(parameters[i]) <= bound);
            sum += parameters[i];
            squares += double{parameters[i]} * parameters[i];
        }
        const auto count = static_cast<double>(firstLayer);
        QVERIFY(std::abs(sum / count) < bound / 100);
        // Variance of a uniform distribution over ±bound.
        QVERIFY(std::abs(squares / count / (bound * bound / 3) - 1) < 0.01);
        QVERIFY(initialParameters(layout, 2) != parameters);
    }

    void productsEqualThoseOfPlainLoops_data() { addKernelRows(); }
    void productsEqualThoseOfPlainLoops() {
        QFETCH(int, level);
        const Kernels& kernels = kernelsOf(level);
        // Sizes that are no multiples of any register.
        const LinearShape shape{13, 37, 29};
        const auto x = randomVector(shape.rows * shape.inputs, "x");
        const auto w = randomVector(shape.outputs * shape.inputs, "w");
        const auto b = randomVector(shape.outputs, "b");
        const auto g = randomVector(shape.rows * shape.outputs, "g");
        std::vector<float> y(g.size()), wantedY(g.size());
        std::vector<float> gx(x.size()), wantedGx(x.size());
        std::vector<float> gw(w.size()), wantedGw(w.size());
        std::vector<float> gb(b.size()), wantedGb(b.size());
        for (size_t r = 0; r < shape.rows; ++r) {
            for (size_t o = 0; o < shape.outputs; ++o) {
                wantedY[r * shape.outputs + o] += b[o];
                wantedGb[o] += g[r * shape.outputs + o];
                for (size_t i = 0; i < shape.inputs; ++i) {
                    wantedY[r * shape.outputs + o] += x[r * shape.inputs + i] * w[o * shape.inputs + i];
                    wantedGx[r * shape.inputs + i] += g[r * shape.outputs + o] * w[o * shape.inputs + i];
                    wantedGw[o * shape.inputs + i] += g[r * shape.outputs + o] * x[r * shape.inputs + i];
                }
            }
        }
        kernels.linear(shape, x.data(), w.data(), b.data(), y.data());
        kernels.linearGradient(shape, x.data(), g.data(), gw.data(), gb.data());
        kernels.linearInputGradient(shape, g.data(), w.data(), gx.data());
        QVERIFY(relativeDifference(y, wantedY) < 1e-6);
        QVERIFY(relativeDifference(gw, wantedGw) < 1e-6);
        QVERIFY(relativeDifference(gb, wantedGb) < 1e-6);
        QVERIFY(relativeDifference(gx, wantedGx) < 1e-6);
    }

    void gradientsEqualFiniteDifferences_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<double>("dropout");
        for (size_t i = 0; i < supportedKernels().size(); ++i) {
            for (const double dropout : {0.0, 0.4})
                QTest::addRow("%s, dropout %.1f", supportedKernels()[i]->name, dropout)
                    << static_cast<int>(i) << dropout;
        }
    }
    void gradientsEqualFiniteDifferences() {
        QFETCH(int, level);
        QFETCH(double, dropout);
        Network network(Layout(7, {6, 5}, 3), kernelsOf(level));
        std::vector<float> parameters = randomVector(network.layout().parameterCount(), "p");
        const auto inputs = randomVector(7 * 8, "inputs");
        const std::vector<uint8_t> labels{0, 1, 2, 2, 1, 0, 1, 2};
        const Dropout drop{static_cast<float>(dropout), 5, 2, 100};
        const float scale = 1.0F / 8;
        std::vector<float> gradients(parameters.size()), ignored(parameters.size());
        network.train(parameters, inputs, labels, drop, scale, gradients);

        constexpr float kStep = 5e-3F;
        std::vector<float> differences(parameters.size());
        for (size_t i = 0; i < parameters.size(); ++i) {
            const float kept = parameters[i];
            parameters[i] = kept + kStep;
            const double above = network.train(parameters, inputs, labels, drop, scale, ignored).loss;
            parameters[i] = kept - kStep;
            const double below = network.train(parameters, inputs, labels, drop, scale, ignored).loss;
            parameters[i] = kept;
            differences[i] = static_cast<float>((above - below) / (2 * kStep) * scale);
        }
        const double difference = relativeDifference(gradients, differences);
        QVERIFY2(difference < 2e-3, std::to_string(difference).c_str());
    }

    void crossEntropyIsThatOfSoftmax_data() { addKernelRows(); }
    void crossEntropyIsThatOfSoftmax() {
        QFETCH(int, level);
        const std::vector<float> logits{1, 2, 3, 1000, 0, -1000};
        const std::vector<uint8_t> labels{2, 1};
        std::vector<float> gradient(6);
        const LossSum sum =
            kernelsOf(level).crossEntropy(logits.data(), labels.data(), 2, 3, 1, gradient.data());
        const double first = std::log(std::exp(1.0) + std::exp(2.0) + std::exp(3.0)) - 3;
        QVERIFY(std::abs(sum.loss - (first + 1000)) < 1e-3);
        QCOMPARE(sum.correct, uint64_t{1});
        QVERIFY(std::abs(gradient[2] - (std::exp(-first) - 1)) < 1e-6);
        QCOMPARE(gradient[4], -1.0F);
    }

    void sgdFollowsPyTorchsRule_data() { addKernelRows(); }
    void sgdFollowsPyTorchsRule() {
        QFETCH(int, level);
        std::vector<float> parameters(19, 1.0F);
        std::vector<float> velocity(19, 0.0F);
        const std::vector<float> gradient(19, 0.5F);
        // torch.optim.SGD(lr=0.1, momentum=0.9): after one step 1 - 0.1 * 0.5, then minus 0.1 * (0.9 * 0.5 +
        // 0.5).
        for (const float wanted : {0.95F, 0.855F}) {
            kernelsOf(level).sgdStep(parameters.data(), velocity.data(), gradient.data(), 19, 0.1F, 0.9F);
            for (const float parameter : parameters)
                QVERIFY(std::abs(parameter - wanted) < 1e-6F);
        }
    }

    void dropoutDropsItsShareAndKeepsTheMean_data() { addKernelRows(); }
    void dropoutDropsItsShareAndKeepsTheMean() {
        QFETCH(int, level);
        constexpr size_t kRows = 400;
        constexpr size_t kWidth = 512;
        std::vector<float> values(kRows * kWidth, 1.0F);
        const DropoutMask mask{0.25F, {123456789U, 987654321U}, 0};
        kernelsOf(level).reluDropout(values.data(), kRows, kWidth, mask);
        size_t dropped = 0;
        size_t bothInRow = 0;
        size_t bothInColumn = 0;
        for (size_t i = 0; i < values.size(); ++i) {
            QVERIFY(values[i] == 0.0F || std::abs(values[i] - 1 / 0.75F) < 1e-6F);
            dropped += values[i] == 0.0F ? 1 : 0;
            bothInRow += i > 0 && values[i] == 0.0F && values[i - 1] == 0.0F ? 1 : 0;
            bothInColumn += i >= kWidth && values[i] == 0.0F && values[i - kWidth] == 0.0F ? 1 : 0;
        }
        const auto count = static_cast<double>(values.size());
        // Five standard deviations of independent draws.
        const auto near = [count](size_t found, double share) {
            return std::abs(static_cast<double>(found) - count * share) <
                   5 * std::sqrt(count * share * (1 - share)) + 512;
        };
        QVERIFY(near(dropped, 0.25));
        QVERIFY(near(bothInRow, 0.0625));
        QVERIFY(near(bothInColumn, 0.0625));
    }

    void dropoutMaskDependsOnTheSamplesPositionAlone_data() { addKernelRows(); }
    void dropoutMaskDependsOnTheSamplesPositionAlone() {
        QFETCH(int, level);
        const Kernels& kernels = kernelsOf(level);
        std::vector<float> whole(4 * 33, 1.0F);
        kernels.reluDropout(whole.data(), 4, 33, {0.5F, {1, 2}, 10});
        std::vector<float> part(2 * 33, 1.0F);
        kernels.reluDropout(part.data(), 2, 33, {0.5F, {1, 2}, 12});
        QCOMPARE(part, std::vector<float>(whole.begin() + 2 * 33, whole.end()));
        std::vector<float> otherKeys(4 * 33, 1.0F);
        kernels.reluDropout(otherKeys.data(), 4, 33, {0.5F, {1, 3}, 10});
        QVERIFY(otherKeys != whole);
    }

    void divergenceShowsAsNanInTheLoss_data() { addKernelRows(); }
    void divergenceShowsAsNanInTheLoss() {
        QFETCH(int, level);
        Network network(Layout(4, {8}, 3), kernelsOf(level));
        std::vector<float> parameters(network.layout().parameterCount(),
                                      std::numeric_limits<float>::quiet_NaN());
        const std::vector<float> inputs(4, 1.0F);
        const std::vector<uint8_t> labels{1};
        std::vector<float> gradients(parameters.size());
        QVERIFY(std::isnan(network.train(parameters, inputs, labels, {0.25F, 1, 0, 0}, 1, gradients).loss));
        QVERIFY(std::isnan(gradients.back()));
        QVERIFY(std::isnan(network.evaluate(parameters, inputs, labels).loss));
    }

    void rankWithoutSamplesHasNoGradient() {
        Network network(Layout(4, {8}, 3), kernelsOf(0));
        const std::vector<float> parameters(network.layout().parameterCount(), 1.0F);
        std::vector<float> gradients(parameters.size(), 7.0F);
        QCOMPARE(network.train(parameters, {}, {}, {}, 1, gradients).loss, 0.0);
        QCOMPARE(gradients, std::vector<float>(gradients.size(), 0.0F));
    }
};

QTEST_APPLESS_MAIN(NetworkTest)
#include "network_test.moc"
