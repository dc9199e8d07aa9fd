// SPDX-License-Identifier: Apache-2.0
#include "trainer/collective/shared_region.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace trialdeck::trainer::collective {

namespace {

/// Where rank 0 holds the memory: the others open its descriptor through /proc.
struct Place {
    int64_t process = 0;
    int32_t descriptor = -1;
};

base::UniqueFd newMemory(size_t bytes) {
    base::UniqueFd memory(memfd_create("trialdeck-train", MFD_CLOEXEC));
    // Allocated now: without room a later write would end the process without a word.
    if (memory && posix_fallocate(memory.get(), 0, static_cast<off_t>(bytes)) != 0)
        memory.reset();
    return memory;
}

} // namespace

Expected<SharedRegion> SharedRegion::create(const Meeting& meeting, size_t bytes) {
    base::UniqueFd memory;
    Place place;
    if (meeting.rank() == 0) {
        memory = newMemory(bytes);
        place = {getpid(), memory.get()};
    }
    TRIALDECK_TRY(meeting.broadcast(std::as_writable_bytes(std::span(&place, 1))));
    if (meeting.rank() != 0 && place.descriptor >= 0) {
        const std::string path =
            "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.descriptor);
        memory.reset(open(path.c_str(), O_RDWR | O_CLOEXEC));
    }
    void* data =
        memory ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0) : MAP_FAILED;
    SharedRegion region(data == MAP_FAILED ? nullptr : static_cast<std::byte*>(data), bytes);
    const auto agreed = meeting.allAgree(region.data() != nullptr);
    if (!agreed)
        return tl::make_unexpected(agreed.error());
    if (!*agreed)
        return base::fail(ErrorCode::unavailable, {{"size_bytes", std::to_string(bytes)}},
                          "the workers cannot share memory");
    return region;
}

SharedRegion::~SharedRegion() {
    if (m_data != nullptr)
        munmap(m_data, m_bytes);
}

} // namespace trialdeck::trainer::collective
