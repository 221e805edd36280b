"""A git server over https for one test: git-http-backend behind Python's own http.server.

    https_server.py ROOT CERTIFICATE LOG PORTFILE

ROOT/<name>.git are the repositories. The first part of a request's path says how it is treated:
  /open/...    is served
  /closed/...  is served to a password that is the file ROOT/token
  /same/...    is redirected to /open/ on this host
  /away/...    is redirected to /closed/ on 127.0.0.1, which is another host than localhost
  /plain/...   is redirected to http://
  /stall/...   is never answered
  /drop/...    is served, but of each answer to a fetch only the first 400 bytes
Each request is a line of LOG: the host it was sent to, its path, whether a password came with it. The port is
written to PORTFILE once the server listens; it ends with its parent.
"""
import base64
import ctypes
import http.server
import os
import signal
import ssl
import subprocess
import sys
import time
import urllib.parse

root, certificate, log_path, port_path = sys.argv[1:]
ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
backend = os.path.join(subprocess.check_output(["git", "--exec-path"], text=True).strip(), "git-http-backend")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # an answer in one piece: no waiting for the client's acknowledgement
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def password(self):
        header = self.headers.get("Authorization", "")
        if not header.startswith("Basic "):
            return None
        return base64.b64decode(header[6:]).decode().split(":", 1)[1]

    def body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def answer(self, status, headers, body):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def serve(self, path, query, body):
        environment = dict(os.environ, GIT_PROJECT_ROOT=root, GIT_HTTP_EXPORT_ALL="1", PATH_INFO=path,
                           QUERY_STRING=query, REQUEST_METHOD=self.command, REMOTE_ADDR="127.0.0.1",
                           CONTENT_TYPE=self.headers.get("Content-Type", ""), CONTENT_LENGTH=str(len(body)))
        output = subprocess.run([backend], input=body, env=environment, capture_output=True).stdout
        head, _, content = output.partition(b"\r\n\r\n")
        headers = [line.split(": ", 1) for line in head.decode().split("\r\n")]
        status = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        return status, [pair for pair in headers if pair[0] != "Status"], content

    def handle_request(self):
        body = self.body()
        url = urllib.parse.urlsplit(self.path)
        with open(log_path, "a") as log:
            log.write(f"{self.headers['Host']} {url.path} {'password' if self.password() else 'none'}\n")
        _, way, *rest = url.path.split("/")
        rest = "/".join(rest)
        query = f"?{url.query}" if url.query else ""
        port = self.server.server_address[1]
        if way == "stall":
            time.sleep(60)
        targets = {"same": f"https://localhost:{port}/open/", "away": f"https://127.0.0.1:{port}/closed/",
                   "plain": f"http://localhost:{port}/open/"}
        if way in targets:
            self.answer(302, [("Location", targets[way] + rest + query)], b"")
            return
        if way == "closed" and self.password() != open(os.path.join(root, "token")).read():
            self.answer(401, [("WWW-Authenticate", 'Basic realm="test"')], b"")
            return
        status, headers, content = self.serve("/" + rest, url.query, body)
        if way == "drop" and self.command == "POST":
            self.close_connection = True
            self.send_response(200)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[:400])
            return
        self.answer(status, headers, content)

    do_GET = do_POST = handle_request


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, *_):  # clients that hang up
        pass


server = Server(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
with open(port_path + ".new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(port_path + ".new", port_path)
server.serve_forever()
