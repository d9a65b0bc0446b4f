import { readFileSync } from 'node:fs'

type ProxyOptions = { folder: string; user: string | null; port: number; instances: readonly number[] }

/**
 * `deploy/nginx.conf` as it is shipped, with the addresses, ports and paths of this machine, inside the few lines that say
 * where nginx keeps its own files. `folder` has the certificate and its key.
 */
export function proxySettings({ folder, user, port, instances }: ProxyOptions): string {
  return `daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
${user === null ? '' : `user ${user};`}
events { worker_connections 1024; }
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;

${onThisMachine(readFileSync('deploy/nginx.conf', 'utf8'), { folder, port, instances })}}
`
}

/** Throws when something to be replaced is not there exactly once: then another file is tried than the shipped one. */
export function onThisMachine(shipped: string, { folder, port, instances }: Omit<ProxyOptions, 'user'>): string {
  const [first = 0, ...others] = instances
  const second = /^ {2}server intag-2:3000.*\n/m.exec(shipped)?.[0] ?? '  server intag-2:3000'
  const replacements: [string, string][] = [
    ['server intag-1:3000', `server 127.0.0.1:${first}`],
    [second, others.map((other) => second.replace('intag-2:3000', `127.0.0.1:${other}`)).join('')],
    ['  listen 80;\n  listen [::]:80;\n', `  listen unix:${folder}/plain.sock;\n`],
    ['  listen 443 ssl http2;\n  listen [::]:443 ssl http2;\n', `  listen 127.0.0.1:${port} ssl http2;\n`],
    ['/run/secrets/tls.crt', `${folder}/tls.crt`],
    ['/run/secrets/tls.key', `${folder}/tls.key`],
    ['access_log /dev/stdout ', `access_log ${folder}/access.log `],
    ['error_log /dev/stderr ', `error_log ${folder}/error.log `],
  ]
  return replacements.reduce((text, [from, to]) => {
    const parts = text.split(from)
    if (parts.length !== 2) throw new Error(`deploy/nginx.conf has ${parts.length - 1} times: ${from}`)
    return parts.join(to)
  }, shipped)
}
