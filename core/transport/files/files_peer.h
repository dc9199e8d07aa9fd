// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/transport/files/file_reader.h"
#include "core/transport/files/file_wire.h"
#include "core/transport/files/file_writer.h"

namespace trialdeck::transport {

/// The head over there during a sync: does in its folder what it is told, one thing at a time, and answers
/// each. Ends with its input.
class FilesPeer {
public:
    /// @param root  a descriptor of the folder
    FilesPeer(int root, FileWire& wire) : m_root(root), m_wire(wire), m_writer(root) {}

    /// @return the program's exit code
    int serve();

private:
    /// @return false where the message makes no sense or nobody reads
    bool answer(std::string_view payload);
    bool list(FileMessageReader& message);
    bool put(FileMessageReader& message);
    bool get(FileMessageReader& message);
    bool prefix(FileMessageReader& message);
    bool done(int error);

    int m_root;
    FileWire& m_wire;
    FileWriter m_writer;
};

/// A message with an entry's fields behind its word, and back.
[[nodiscard]] FileMessage entryMessage(FileWord word, const FileEntry& entry);
[[nodiscard]] FileEntry entryFrom(FileMessageReader& message);

} // namespace trialdeck::transport
