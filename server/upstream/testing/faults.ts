import 'server-only'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import type { ProblemKind } from '@/lib/contract/feed-status'
import type { Timeouts } from '@/server/upstream/exchange'
import { answerWith } from './faulty-service'

export type Fault = {
  name: string
  answer: (response: ServerResponse) => void
  kind: ProblemKind | 'not-found'
  detail: string
  /** Short only where waiting is the point: a busy machine must not look like a fault. */
  timeouts?: Partial<Timeouts>
}

const JSON_TYPE = { 'content-type': 'application/json' }
const HTML = { headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' }
const LIST = JSON.stringify({ askedQuestions: Array.from({ length: 2_000 }, (_, id) => ({ id })) })

/** What a service can do wrong, and what it must come to. At most 1 MB is read. */
export const FAULTS: Fault[] = [
  {
    name: 'resets the connection before any answer',
    answer: (response) => response.socket?.resetAndDestroy(),
    kind: 'unavailable',
    detail: 'the connection failed (ECONNRESET)',
  },
  {
    name: 'resets it in the middle of the body',
    answer: (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': LIST.length })
      response.write(LIST.slice(0, 1_000), () => response.socket?.resetAndDestroy())
    },
    kind: 'unavailable',
    detail: 'the connection failed (ECONNRESET)',
  },
  {
    name: 'ends before the announced length',
    answer: raw(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 5000\r\n\r\n{"askedQuestions":[`),
    kind: 'unavailable',
    detail: 'the connection failed (ECONNRESET)',
  },
  {
    name: 'ends between two chunks',
    answer: raw(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"ask\r\n',
    ),
    kind: 'unavailable',
    detail: 'the connection failed (ECONNRESET)',
  },
  {
    name: 'cuts its gzip short',
    answer: answerWith({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(LIST).subarray(0, 500) }),
    kind: 'unavailable',
    detail: 'the connection failed (Z_BUF_ERROR)',
  },
  {
    name: 'calls gzip what is none',
    answer: answerWith({ headers: { 'content-encoding': 'gzip' }, body: LIST }),
    kind: 'unreadable',
    detail: 'a broken answer (Z_DATA_ERROR)',
  },
  {
    name: 'uses an encoding that was not asked for',
    answer: answerWith({ headers: { 'content-encoding': 'br' }, body: LIST }),
    kind: 'unreadable',
    detail: 'an encoding that was not asked for',
  },
  {
    name: 'speaks no HTTP',
    answer: raw('hello\r\n\r\n'),
    kind: 'unreadable',
    detail: 'a broken answer (HPE_INVALID_CONSTANT)',
  },
  {
    name: 'is behind a failing proxy',
    answer: answerWith({ status: 502, ...HTML }),
    kind: 'unavailable',
    detail: 'status 502',
  },
  {
    name: 'shows a web page',
    answer: answerWith(HTML),
    kind: 'unreadable',
    detail: 'an answer that is not JSON by its content type',
  },
  {
    name: 'never stops sending',
    answer: sendForEver(false),
    kind: 'unreadable',
    detail: 'an answer larger than 1000000 bytes',
  },
  {
    name: 'sends a gzip bomb',
    answer: sendForEver(true),
    kind: 'unreadable',
    detail: 'an answer larger than 1000000 bytes',
  },
  {
    name: 'never answers',
    answer: () => {},
    kind: 'unavailable',
    detail: 'no answer within 50 ms',
    timeouts: { headersMs: 50 },
  },
  {
    name: 'stops in the middle',
    answer: (response) => {
      response.writeHead(200, JSON_TYPE)
      response.write('{"askedQuestions":[')
    },
    kind: 'unavailable',
    detail: 'no further part of the answer within 50 ms',
    timeouts: { idleMs: 50 },
  },
  {
    name: 'drips',
    answer: (response) => {
      response.writeHead(200, JSON_TYPE)
      const drip = setInterval(() => response.write(' '), 15)
      response.on('close', () => clearInterval(drip))
    },
    kind: 'unavailable',
    detail: 'no whole answer within 100 ms',
    timeouts: { overallMs: 100 },
  },
  {
    name: 'never ends the body of an error',
    answer: (response) => {
      response.writeHead(500, JSON_TYPE)
      pipeline(endless(), response, () => {})
    },
    kind: 'unavailable',
    detail: 'status 500',
  },
  { name: 'knows no such list', answer: answerWith({ status: 404 }), kind: 'not-found', detail: 'status 404' },
  { name: 'has nothing to say', answer: answerWith({ status: 204 }), kind: 'unreadable', detail: 'status 204' },
  { name: 'sends a part', answer: answerWith({ status: 206 }), kind: 'unreadable', detail: 'status 206' },
  { name: 'says 304 unasked', answer: answerWith({ status: 304 }), kind: 'unreadable', detail: 'status 304' },
  { name: 'is a teapot', answer: answerWith({ status: 418 }), kind: 'unreadable', detail: 'status 418' },
  {
    name: 'does not know the token',
    answer: answerWith({ status: 401 }),
    kind: 'unauthenticated',
    detail: 'status 401',
  },
  { name: 'does not permit it', answer: answerWith({ status: 403 }), kind: 'unauthorized', detail: 'status 403' },
  { name: 'was asked too often', answer: answerWith({ status: 429 }), kind: 'rate-limited', detail: 'status 429' },
]

function raw(bytes: string): (response: ServerResponse) => void {
  return (response) => void response.socket?.end(bytes)
}

function sendForEver(zipped: boolean): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { ...JSON_TYPE, ...(zipped && { 'content-encoding': 'gzip' }) })
    if (zipped) pipeline(endless(), createGzip(), response, () => {})
    else pipeline(endless(), response, () => {})
  }
}

function endless(): Readable {
  return Readable.from(repeated(Buffer.alloc(65_536, 32)))
}

function* repeated(part: Uint8Array) {
  for (;;) yield part
}
