#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A web server for tests on a free port of 127.0.0.1; says the port on its first line, ends with its input.

/bytes/N   N bytes
/echo      what was posted
/old/N     N bytes to HTTP/1.0 clients' liking: no length, the connection's end is the end
"""
import http.server
import socketserver
import sys
import threading


def pattern(count):
    block = bytes(range(256)) * 256
    return (block * (count // len(block) + 1))[:count]


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        kind, count = self.path.strip("/").split("/")
        body = pattern(int(count))
        self.send_response(200)
        if kind == "old":
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
