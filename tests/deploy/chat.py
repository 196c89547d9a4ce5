"""Stands in for Open WebUI beside a server: every token is a user with no file. Runs in a container, on port 8080."""
import http.server


class Answers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        known = self.headers.get("Authorization", "").startswith("Bearer ")
        body = b'{"count": 0}' if known else b'{"detail": "Not authenticated"}'
        self.send_response(200 if known else 401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


http.server.ThreadingHTTPServer(("0.0.0.0", 8080), Answers).serve_forever()
