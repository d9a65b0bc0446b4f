type ProxyOptions = { folder: string; user: string | null; port: number; instances: readonly number[] }

/**
 * nginx before several instances. A request that could not be delivered goes to another instance; one that may have been
 * read does so only if it changes nothing, so that no decision is made twice. Queries are not logged, streams not held back.
 */
export function proxySettings({ folder, user, port, instances }: ProxyOptions): string {
  const servers = instances.map((instance) => `    server 127.0.0.1:${instance} max_fails=1 fail_timeout=2s;`)
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${user === null ? '' : `user ${user};`}
events { worker_connections 1024; }
http {
  log_format without_query '$time_iso8601 $request_method $uri $status $upstream_addr $upstream_status $request_time';
  access_log ${folder}/access.log without_query;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;

  upstream intag {
${servers.join('\n')}
    keepalive 32;
  }
  server {
    listen 127.0.0.1:${port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $http_host;
    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    proxy_set_header X-Forwarded-Proto $scheme;
    proxy_connect_timeout 2s;
    proxy_read_timeout 60s;
    proxy_next_upstream error timeout;
    location / {
      proxy_pass http://intag;
      proxy_next_upstream_tries 3;
    }
    location = /api/events {
      proxy_pass http://intag;
      proxy_buffering off;
    }
  }
}
`
}
