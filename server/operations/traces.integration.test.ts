import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { InMemorySpanExporter } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { withSpan } from '@/server/with-span'
import { startTraces } from './traces'

async function spansOfASession(): Promise<void> {
  const tracer = trace.getTracer('next.js')
  const url = '/api/asked-questions?q=Eva%20Svensson'
  const root = tracer.startSpan(`GET ${url}`, { attributes: { 'http.method': 'GET', 'http.target': url } })
  root.setAttributes({ 'next.route': '/api/asked-questions', 'http.url': `https://intag.test${url}` })
  root.recordException(new Error('no Eva Svensson'))
  root.setStatus({ code: SpanStatusCode.ERROR, message: 'no Eva Svensson' })
  root.end()
  for (const target of ['/api/health/ready', '/api/health?x', '/api/metrics']) {
    const probe = tracer.startSpan('GET', { attributes: { 'http.target': target } })
    tracer.startSpan('below', {}, trace.setSpan(context.active(), probe)).end()
    probe.end()
  }
  tracer.startSpan('RSC GET /contacts/Eva', { attributes: { 'next.span_name': 'GET /contacts/Eva' } }).end()
  tracer.startSpan('fetch GET https://id.test/Eva?x=Eva', { attributes: { 'http.url': 'https://id.test/Eva' } }).end()
  const attributes = { 'db.operation.name': 'SELECT', 'db.query.text': "where name = 'Eva'" }
  const asked = (about: Record<string, string>, work: () => Promise<unknown>) => withSpan('query', () => about, work)
  await asked(attributes, async () => 1)
  const failing = Object.assign(new Error('params: Eva'), { code: '57P01' })
  await asked({}, () => Promise.reject(failing)).catch(() => {})
}

test('a span leaves the process with patterns and figures only', async () => {
  const exporter = new InMemorySpanExporter()
  const kept = new Map<string, unknown>()
  const end = startTraces({
    ratio: 1,
    exporter: {
      export: (spans, done) => {
        for (const { name, attributes, status } of spans) kept.set(`${name} ${kept.size}`, { ...attributes, status })
        exporter.export(spans, done)
      },
      shutdown: async () => {},
    },
  })
  await spansOfASession()
  await end()
  expect([...kept]).toEqual([
    [
      'GET /api/asked-questions 0',
      { 'http.method': 'GET', 'next.route': '/api/asked-questions', status: { code: SpanStatusCode.ERROR } },
    ],
    ['RSC GET /contacts/:id 1', { status: { code: SpanStatusCode.UNSET } }],
    ['fetch GET other 2', { status: { code: SpanStatusCode.UNSET } }],
    ['query 3', { 'db.operation.name': 'SELECT', status: { code: SpanStatusCode.UNSET } }],
    ['query 4', { 'error.type': '57P01', status: { code: SpanStatusCode.ERROR } }],
  ])
})

test('no byte that a collector gets names whom a user searched for', async () => {
  const got: { path: string; body: string }[] = []
  const collector = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      got.push({ path: request.url ?? '', body: Buffer.concat(parts).toString('latin1') })
      response.end()
    })
  })
  await once(collector.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
  const end = startTraces({ ratio: 1, exporter: new OTLPTraceExporter({ url }) })
  await spansOfASession()
  await end()
  collector.close()
  const all = got.map(({ body }) => body).join('')
  expect(got[0]?.path).toBe('/v1/traces')
  expect(all).toContain('/api/asked-questions')
  expect(all).toContain('intag')
  expect(all).not.toMatch(/Eva|Svensson/)
})

test('without a collector nothing is made of it', async () => {
  const attributes = () => expect.unreachable('nobody asks for it')
  expect(await withSpan('query', attributes, async () => 7)).toBe(7)
})
