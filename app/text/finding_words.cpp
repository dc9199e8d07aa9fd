// SPDX-License-Identifier: Apache-2.0
#include "app/text/finding_words.h"

#include <QCoreApplication>

namespace trialdeck::app::text {

namespace {
struct Findings {
    Q_DECLARE_TR_FUNCTIONS(Findings)
};

/// What is wrong with a journal.
QString journalSentence(FindingReason reason) {
    switch (reason) {
    case FindingReason::torn_tail:
        //: About the files in which an experiment is recorded
        return Findings::tr("Its last record is incomplete: the head may have died while writing it.");
    case FindingReason::ignored_bytes:
        return Findings::tr("One of its files goes on behind its end; what stands there does not count.");
    case FindingReason::bad_line:
        return Findings::tr("A line of it is no record.");
    case FindingReason::hash_differs:
        return Findings::tr("One of its files was changed after it had been completed.");
    case FindingReason::short_segment:
        return Findings::tr("One of its files is shorter than it was.");
    case FindingReason::missing_segment:
        return Findings::tr("One of its files is missing. Bring it back from a copy.");
    case FindingReason::bad_header:
        return Findings::tr("The first line of one of its files cannot be read.");
    case FindingReason::unchained_segment:
        return Findings::tr("One of its files does not belong to the others.");
    case FindingReason::no_segment:
        return Findings::tr("None of its files can be read. Bring the experiment's folder back from a copy.");
    default:
        return {};
    }
}
} // namespace

QString reasonSentence(FindingReason reason) {
    switch (reason) {
    case FindingReason::empty:
        //: About a name
        return Findings::tr("It is empty.");
    case FindingReason::too_long:
        return Findings::tr("It is too long.");
    case FindingReason::leading_point:
        return Findings::tr("It begins with a point.");
    case FindingReason::blank_at_end:
        return Findings::tr("It begins or ends with a space.");
    case FindingReason::slash:
        return Findings::tr("It contains a slash.");
    case FindingReason::braces:
        return Findings::tr("It contains braces.");
    case FindingReason::control_character:
        return Findings::tr("It contains a control character.");
    case FindingReason::not_a_variable:
        return Findings::tr("A variable's name has at least one character and no equals sign.");
    case FindingReason::unreadable:
        return Findings::tr("The parser says: {parser}.");
    case FindingReason::tag:
        return Findings::tr("Tags such as {tag} mean nothing here.");
    case FindingReason::self_reference:
        return Findings::tr("An alias stands inside its own anchor.");
    case FindingReason::unknown_anchor:
        return Findings::tr("The alias refers to an anchor that is not there.");
    case FindingReason::key_not_text:
        return Findings::tr("A key must be text.");
    case FindingReason::merge_not_map:
        return Findings::tr("Behind << a map or a list of maps is wanted.");
    case FindingReason::bare_braces:
        return Findings::tr("Write text with braces in quotes.");
    case FindingReason::tab_in_indentation:
        return Findings::tr("The line is indented with a tab. Use spaces.");
    case FindingReason::unfinished_map:
        return Findings::tr(
            "The map that begins further up does not go on like this. Check indentation, commas and braces.");
    case FindingReason::unfinished_list:
        return Findings::tr("The list that begins further up does not go on like this. Check indentation, "
                            "commas and brackets.");
    case FindingReason::misplaced_value:
        return Findings::tr("No key, value or list item can stand here. Check the indentation.");
    case FindingReason::zero_byte:
        return Findings::tr("It contains a zero byte.");
    case FindingReason::not_in_space:
        return Findings::tr("The search space does not contain it.");
    case FindingReason::written_as_call:
        return Findings::tr("Distributions are written as a map here, not as a call.");
    case FindingReason::unknown:
        //: About the name of a distribution
        return Findings::tr("There is no distribution of this name.");
    case FindingReason::no_metric:
        return Findings::tr("No metric is named.");
    case FindingReason::fifo:
        return Findings::tr("The scheduler fifo does not use it.");
    case FindingReason::no_named_group:
        return Findings::tr("It has no named group such as (?<loss>…).");
    case FindingReason::group_twice:
        return Findings::tr("Two groups have the same name.");
    case FindingReason::not_a_folder:
        return Findings::tr("{folder} is not a folder.");
    case FindingReason::no_permission:
        return Findings::tr("Nothing may be written in {folder}.");
    case FindingReason::read_only:
        return Findings::tr("The disk of {folder} is read-only.");
    case FindingReason::no_space:
        return Findings::tr("There is no space left on the disk of {folder}.");
    default:
        return journalSentence(reason);
    }
}

QString kindPhrase(ValueKind kind) {
    switch (kind) {
    case ValueKind::null:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("nothing");
    case ValueKind::boolean:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("true or false");
    case ValueKind::integer:
    case ValueKind::whole_number:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("a whole number");
    case ValueKind::number:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("a number");
    case ValueKind::quantity:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("a size such as 1GiB");
    case ValueKind::text:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("text");
    case ValueKind::bytes:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("bytes");
    case ValueKind::list:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("a list");
    case ValueKind::map:
        //: A kind of value, as in "Wanted here: a list, not text."
        return Findings::tr("a map");
    }
    return {};
}

QString rangeSentence(const base::ErrorArguments& arguments) {
    if (arguments.contains("min") && arguments.contains("max"))
        return Findings::tr("It must be between {min} and {max}.");
    if (arguments.contains("min"))
        return Findings::tr("It must be at least {min}.");
    if (arguments.contains("max"))
        return Findings::tr("It must be at most {max}.");
    return arguments.contains("above") ? Findings::tr("It must be above {above}.") : QString();
}

} // namespace trialdeck::app::text
