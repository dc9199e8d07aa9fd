// SPDX-License-Identifier: Apache-2.0
#include "core/protocol/fields.h"

namespace trialdeck::protocol {

namespace {

constexpr size_t kShownBytes = 80;

std::string shown(const Value& found) {
    if (const std::string* text = found.asString())
        return "text \"" + text->substr(0, kShownBytes) + "\"";
    return std::string(base::kindName(found));
}

template<typename T>
Decoded take(T* content, std::string_view expected, const Value& found, T& field) {
    if (!content)
        return mismatch(expected, found);
    field = std::move(*content);
    return {};
}

} // namespace

void Mismatch::goInto(std::string_view step) {
    const bool apart = !path.empty() && path.front() != '[';
    path = std::string(step) + (apart ? "." : "") + path;
}

Decoded mismatch(std::string_view expected, const Value& found) {
    return tl::make_unexpected(Mismatch{ErrorCode::wrong_type, {}, std::string(expected), shown(found)});
}

Decoded wrongNumber(std::string_view expected, const Value& found) {
    Mismatch result{ErrorCode::wrong_type, {}, std::string(expected), shown(found)};
    if (const auto* whole = std::get_if<int64_t>(&found.storage()))
        result.found = std::to_string(*whole);
    else if (const auto* large = std::get_if<uint64_t>(&found.storage()))
        result.found = std::to_string(*large);
    return tl::make_unexpected(std::move(result));
}

Error errorOf(Mismatch mismatch) {
    Error error{mismatch.code, {{"field", std::move(mismatch.path)}}, {}};
    if (mismatch.code == ErrorCode::wrong_type) {
        error.arguments.emplace("expected", std::move(mismatch.expected));
        error.arguments.emplace("found", std::move(mismatch.found));
    }
    return error;
}

Value valueOfArguments(base::ErrorArguments& arguments) {
    Object object;
    for (auto& [name, value] : arguments)
        object.append(name, std::move(value));
    return object;
}

Value valueOfError(Error& error) {
    Object object;
    object.append("code", nameOf(error.code));
    object.append("arguments", valueOfArguments(error.arguments));
    object.append("detail", std::move(error.detail));
    return object;
}

Decoded readValue(Value& value, bool& field) {
    const bool* content = value.asBool();
    if (!content)
        return mismatch("boolean", value);
    field = *content;
    return {};
}

Decoded readValue(Value& value, double& field) {
    const auto content = value.toDouble();
    if (!content)
        return mismatch("number", value);
    field = *content;
    return {};
}

Decoded readValue(Value& value, std::string& field) {
    return take(value.asString(), "text", value, field);
}

Decoded readValue(Value& value, base::Bytes& field) {
    return take(value.asBytes(), "bytes", value, field);
}

Decoded readValue(Value& value, Value& field) {
    field = std::move(value);
    return {};
}

Decoded readValue(Value& value, Object& field) {
    return take(value.asObject(), "map", value, field);
}

Decoded readValue(Value& value, Array& field) {
    return take(value.asArray(), "list", value, field);
}

Decoded readValue(Value& value, base::WallTime& field) {
    const std::string* text = value.asString();
    const auto time =
        text ? base::parseIso8601(*text) : Expected<base::WallTime>(base::fail(ErrorCode::wrong_value_type));
    if (!time)
        return mismatch("time such as 2026-11-30T14:05:09.123Z", value);
    field = *time;
    return {};
}

Decoded readValue(Value& value, base::ErrorArguments& field) {
    Object* object = value.asObject();
    if (!object)
        return mismatch("map", value);
    field.clear();
    for (const auto& [name, content] : *object) {
        const std::string* text = content.asString();
        if (!text) {
            auto result = mismatch("text", content);
            result.error().path = name;
            return result;
        }
        field.emplace(name, *text);
    }
    return {};
}

Decoded readValue(Value& value, ErrorCode& field) {
    const std::string* name = value.asString();
    if (!name)
        return mismatch("text", value);
    field = base::errorCodeFromString(*name).value_or(ErrorCode::internal);
    return {};
}

Decoded readValue(Value& value, Error& field) {
    Object* object = value.asObject();
    if (!object)
        return mismatch("map", value);
    FieldDecoder decoder(*object);
    const Value* name = object->find("code");
    const std::string code = name && name->asString() ? *name->asString() : std::string();
    decoder.required("code", field.code);
    decoder("arguments", field.arguments);
    decoder("detail", field.detail);
    auto result = std::move(decoder).take();
    if (result && field.code == ErrorCode::internal && code != nameOf(ErrorCode::internal))
        field.detail = code + (field.detail.empty() ? "" : ": " + field.detail);
    return result;
}

} // namespace trialdeck::protocol
