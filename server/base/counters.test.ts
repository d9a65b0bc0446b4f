import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createCounters, labelRoute } from './counters'

const answered = { method: 'GET', status: 200, seconds: 0.003 }

test('requests are counted by pattern, method and status, everything else by what came of it; a live stream has no duration', async () => {
  const registry = new Registry()
  const counters = createCounters(registry)
  counters.countRequest({ ...answered, url: '/declarations?lead=abc' })
  counters.countRequest({ ...answered, url: '/contacts/ZXZhQHNrb2xhbi50ZXN0?q=eva' })
  counters.countRequest({ ...answered, url: '/api/notes/n-1', method: 'DELETE', status: 404 })
  counters.countRequest({ ...answered, url: '/api/events', seconds: 3_600 })
  counters.countUpstreamRequest('list', 'rate-limited')
  counters.countSignIn('password', 'refused')
  counters.countMail('reply', 'sent')
  const lines = (await registry.metrics()).split('\n').filter((line) => /^intag_\w+_(?:total|count)\{/.test(line))
  expect(lines).toEqual([
    'intag_http_requests_total{route="page",method="GET",status="2xx"} 2',
    'intag_http_requests_total{route="/api/notes/:id",method="DELETE",status="4xx"} 1',
    'intag_http_requests_total{route="/api/events",method="GET",status="2xx"} 1',
    'intag_http_request_duration_seconds_count{route="page",method="GET"} 2',
    'intag_http_request_duration_seconds_count{route="/api/notes/:id",method="DELETE"} 1',
    'intag_upstream_requests_total{purpose="list",outcome="rate-limited"} 1',
    'intag_mails_total{purpose="reply",outcome="sent"} 1',
    'intag_sign_ins_total{way="password",outcome="refused"} 1',
  ])
})

test('however a path is spelt, nothing of it becomes a label', () => {
  const spellings = ['eva@x', 'eva%40x', '%65va%40x', '%2541', '%25', 'a%2Fb', ':id', '\n', 'x'.repeat(14_000)]
  const known = spellings.map((id) => labelRoute(`/api/users/${id}/sessions?q=${id}`))
  expect(new Set(known)).toEqual(new Set(['/api/users/:id/sessions']))
  const unknown = spellings.flatMap((name) => [`/api/${name}`, `/${name}/eva`, `/api/users/${name}/x`, `//${name}`])
  expect(new Set(unknown.map(labelRoute))).toEqual(new Set(['other', 'page']))
  expect(labelRoute('/api/auth/callback/eva@x')).toBe('/api/auth')
})
