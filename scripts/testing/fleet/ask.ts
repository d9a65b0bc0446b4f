import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'
import type { Outcome } from './verdicts'

type Ask = {
  method?: string
  cookie?: string
  json?: unknown
  form?: Record<string, string>
  timeoutMs?: number
}
export type Answer = { outcome: Outcome; status: number; body: string; cookies: string[]; detail: string }

const PATIENCE_MS = 40_000

/** One request over its own connection. Never rejects: a failure is an outcome. */
export function ask(origin: string, path: string, options: Ask = {}): Promise<Answer> {
  const { timeoutMs = PATIENCE_MS, method = 'GET' } = options
  return new Promise((resolve) => {
    const failed = (outcome: Outcome, detail: string) =>
      resolve({ outcome, status: 0, body: '', cookies: [], detail: `${method} ${path}: ${detail}` })
    const sending = send(origin, path, options, failed, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const [status, body] = [answer.statusCode ?? 0, Buffer.concat(chunks).toString()]
        const detail = `${method} ${path}: ${status} ${body.slice(0, 120).replaceAll(/\s+/g, ' ')}`
        const cookies = (answer.headers['set-cookie'] ?? []).map((one) => one.slice(0, one.indexOf(';')))
        resolve({ outcome: outcomeOf(answer), status, body, cookies, detail })
      })
    })
    const timer = setTimeout(() => {
      failed('slow', `no answer in ${timeoutMs} ms`)
      sending.destroy()
    }, timeoutMs)
    sending.on('close', () => clearTimeout(timer))
  })
}

type StreamOptions = {
  onEvent: (name: string, data?: string) => void
  signal: AbortSignal
  silenceMs: number
}

export type Ended = Pick<Answer, 'outcome' | 'detail'>

export function followStream(origin: string, cookie: string, following: StreamOptions): Promise<Ended> {
  const { onEvent, signal, silenceMs } = following
  const path = '/api/events'
  return new Promise((resolve) => {
    const ended = (outcome: Outcome, detail = '') => {
      resolve({ outcome, detail: `GET ${path}: ${detail}` })
      sending.destroy()
    }
    const sending = send(origin, path, { cookie }, ended, (answer) => {
      if (answer.statusCode !== 200) return ended(outcomeOf(answer), `status ${answer.statusCode}`)
      let rest = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        const events = (rest + chunk).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) {
          const [name, data] = ['event', 'data'].map((field) => new RegExp(`^${field}: (.*)$`, 'm').exec(event)?.[1])
          if (name !== undefined) onEvent(name, data)
        }
      })
      answer.on('end', () => ended('ok', 'ended'))
    })
    sending.setTimeout(silenceMs, () => ended('slow', 'silent'))
    signal.addEventListener('abort', () => ended('ok'))
  })
}

function send(
  origin: string,
  path: string,
  { method = 'GET', cookie, json, form }: Ask,
  failed: (outcome: Outcome, detail: string) => void,
  onAnswer: (answer: IncomingMessage) => void,
) {
  const body = json === undefined ? form && new URLSearchParams(form).toString() : JSON.stringify(json)
  const type = json === undefined ? 'application/x-www-form-urlencoded' : 'application/json'
  const headers = {
    ...(body !== undefined && { 'content-type': type }),
    ...(cookie !== undefined && { cookie }),
    origin,
  }
  const target = new URL(path, origin)
  const settings = { method, agent: false, headers } as const
  const heard = (answer: IncomingMessage) => {
    answer.on('error', ({ message }) => failed('cut', message))
    onAnswer(answer)
  }
  const sending =
    target.protocol === 'https:'
      ? requestByTls(target, { ...settings, rejectUnauthorized: false }, heard)
      : request(target, settings, heard)
  sending.on('error', (error) =>
    failed('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'cut', error.message),
  )
  return sending.end(body)
}

function outcomeOf({ statusCode: status = 0, headers }: IncomingMessage): Outcome {
  if (status >= 200 && status < 400) return 'ok'
  if (status === 503 && headers['retry-after'] !== undefined) return 'busy'
  return status === 502 || status === 504 ? 'gateway' : 'wrong'
}
