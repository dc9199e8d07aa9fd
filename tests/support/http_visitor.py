#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""http_visitor.py PORT AT_ONCE PATH: fetches the path so often at once from 127.0.0.1:PORT; prints how many
answers were whole and how many bytes they had. With a fourth word N, N numbers are posted and come back."""
import sys
import threading
import urllib.request

port, at_once, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
answers = []


def fetch(number):
    body = None
    if len(sys.argv) > 4:
        body = (b"%d " % number) * int(sys.argv[4])
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", data=body, timeout=60) as answer:
            got = answer.read()
        wanted = body if body is not None else (bytes(range(256)) * (len(got) // 256 + 1))[: len(got)]
        answers.append(len(got) if got == wanted else -1)
    except OSError:
        answers.append(-1)


threads = [threading.Thread(target=fetch, args=(number,)) for number in range(at_once)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
whole = [answer for answer in answers if answer >= 0]
print(len(whole), sum(whole))
