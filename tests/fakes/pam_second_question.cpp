// SPDX-License-Identifier: Apache-2.0
// A second factor for tests: a PAM module that asks one question more and knows the one right answer.
//   auth required /…/pam_second_question.so [question=Verification code: ] answer=123456 [info=words first]
//   [echo]
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <security/pam_modules.h>

namespace {

struct Asked {
    std::string question = "Verification code: ";
    std::string answer;
    std::string info;
    int style = PAM_PROMPT_ECHO_OFF;
};

Asked askedFrom(int count, const char** arguments) {
    Asked asked;
    for (int at = 0; at < count; ++at) {
        const std::string_view argument = arguments[at];
        const size_t end = argument.find('=');
        const std::string_view name = argument.substr(0, end);
        const std::string value(end == std::string_view::npos ? "" : argument.substr(end + 1));
        if (name == "question")
            asked.question = value;
        else if (name == "answer")
            asked.answer = value;
        else if (name == "info")
            asked.info = value;
        else if (name == "echo")
            asked.style = PAM_PROMPT_ECHO_ON;
    }
    return asked;
}

} // namespace

extern "C" int pam_sm_authenticate(pam_handle_t* handle, int, int count, const char** arguments) {
    const Asked asked = askedFrom(count, arguments);
    const void* item = nullptr;
    if (pam_get_item(handle, PAM_CONV, &item) != PAM_SUCCESS || item == nullptr)
        return PAM_AUTH_ERR;
    const auto* conversation = static_cast<const pam_conv*>(item);
    const pam_message info{PAM_TEXT_INFO, asked.info.c_str()};
    const pam_message question{asked.style, asked.question.c_str()};
    const pam_message* messages[] = {&info, &question};
    const int first = asked.info.empty() ? 1 : 0;
    pam_response* answers = nullptr;
    if (conversation->conv(2 - first, messages + first, &answers, conversation->appdata_ptr) != PAM_SUCCESS ||
        answers == nullptr)
        return PAM_AUTH_ERR;
    const char* said = answers[1 - first].resp;
    const bool isRight = said != nullptr && asked.answer == said;
    for (int at = 0; at < 2 - first; ++at)
        std::free(answers[at].resp);
    std::free(answers);
    return isRight ? PAM_SUCCESS : PAM_AUTH_ERR;
}

extern "C" int pam_sm_setcred(pam_handle_t*, int, int, const char**) {
    return PAM_SUCCESS;
}
