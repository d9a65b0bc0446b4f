import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import type { Outcome } from './verdicts'

/** `at`: the instance that is asked instead of whoever the proxy would choose. */
type Ask = {
  method?: string
  cookie?: string
  json?: unknown
  form?: Record<string, string>
  timeoutMs?: number
  at?: string
}
export type Answer = { outcome: Outcome; status: number; body: string; cookies: string[]; detail: string }

/** As long as somebody looks at a page that does not come. */
const PATIENCE_MS = 40_000

/**
 * One request over a connection of its own, so that what fails is told from a connection that had lain idle. Never rejects:
 * what went wrong is an outcome.
 */
export function ask(origin: string, path: string, options: Ask = {}): Promise<Answer> {
  const { json, form, timeoutMs = PATIENCE_MS } = options
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  return new Promise((resolve) => {
    const failed = (outcome: Outcome, detail: string) =>
      resolve({ outcome, status: 0, body: '', cookies: [], detail: `${options.method ?? 'GET'} ${path}: ${detail}` })
    const sending = open(origin, path, options, body === undefined ? {} : { 'content-type': type }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', ({ message }) => failed('cut', message))
      answer.on('end', () => resolve(told(answer, Buffer.concat(chunks).toString(), options, path)))
    })
    const timer = setTimeout(() => {
      failed('slow', `no answer in ${timeoutMs} ms`)
      sending.destroy()
    }, timeoutMs)
    sending.on('close', () => clearTimeout(timer))
    sending.on('error', (error) => failed(isRefusal(error) ? 'refused' : 'cut', error.message))
    sending.end(body)
  })
}

/** A live stream, until it ends or `signal` is aborted; each event's name is told. Answers how it began or ended. */
export function followStream(
  origin: string,
  cookie: string,
  { onEvent, signal, silenceMs }: { onEvent: (name: string) => void; signal: AbortSignal; silenceMs: number },
): Promise<Answer> {
  const path = '/api/events'
  return new Promise((resolve) => {
    const ended = (outcome: Outcome, detail = '', status = 0) =>
      resolve({ outcome, status, body: '', cookies: [], detail: `GET ${path}: ${detail}` })
    const sending = open(origin, path, { cookie }, {}, (answer) => {
      if (answer.statusCode !== 200) {
        answer.resume()
        const { outcome } = told(answer, '', {}, path)
        return ended(outcome, `status ${answer.statusCode}`, answer.statusCode)
      }
      answer.on('data', (chunk: Buffer) => {
        for (const [, name = ''] of chunk.toString().matchAll(/^event: (\w+)$/gm)) onEvent(name)
      })
      answer.on('end', () => ended('ok', 'ended', 200))
      answer.on('error', ({ message }) => ended('cut', message))
    })
    sending.setTimeout(silenceMs, () => {
      ended('slow', 'silent')
      sending.destroy()
    })
    signal.addEventListener('abort', () => {
      ended('ok')
      sending.destroy()
    })
    sending.on('error', (error) => ended(isRefusal(error) ? 'refused' : 'cut', error.message))
    sending.end()
  })
}

function open(
  origin: string,
  path: string,
  { method = 'GET', cookie, at = origin }: Ask,
  headers: Record<string, string>,
  onAnswer: (answer: IncomingMessage) => void,
) {
  const own = { ...headers, origin, host: new URL(origin).host, ...(cookie !== undefined && { cookie }) }
  const target = new URL(path, at)
  const settings = { method, agent: false, headers: own } as const
  // The proxy's certificate was made for this run; nobody has signed it.
  if (target.protocol === 'https:') return requestByTls(target, { ...settings, rejectUnauthorized: false }, onAnswer)
  return request(target, settings, onAnswer)
}

function isRefusal(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNREFUSED'
}

function told(answer: IncomingMessage, body: string, { method = 'GET' }: Ask, path: string): Answer {
  const status = answer.statusCode ?? 0
  const detail = `${method} ${path}: ${status} ${body.slice(0, 120).replaceAll(/\s+/g, ' ')}`
  const cookies = (answer.headers['set-cookie'] ?? []).map((one) => one.slice(0, one.indexOf(';')))
  return { outcome: outcomeOf(status, answer.headers['retry-after']), status, body, cookies, detail }
}

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 400) return 'ok'
  if (status === 503 && retryAfter !== undefined) return 'busy'
  return status === 502 || status === 504 ? 'gateway' : 'wrong'
}
