import { expect, test } from 'vitest'
import { routeLabel } from './counters'
import { metricsWorld } from '@/server/run/testing/metrics-world'

const answered = { method: 'GET', status: 200, seconds: 0.003 }

test('requests are counted by pattern, and no id, query or made-up path becomes a label', async () => {
  const { counters, lines } = metricsWorld()
  counters.answered({ ...answered, url: '/declarations?lead=abc', seconds: 0.02 })
  counters.answered({ ...answered, url: '/api/notes/n-1', method: 'DELETE', status: 404 })
  counters.answered({ ...answered, url: '/contacts/ZXZhQHNrb2xhbi50ZXN0?q=eva', status: 302 })
  for (let n = 0; n < 50; n += 1) counters.answered({ ...answered, url: `/eva-svensson-${n}?q=eva`, status: 404 })
  counters.answered({ ...answered, url: '/api/events', seconds: 3_600 })
  const requests = await lines('intag_http_requests_total')
  expect(requests).toEqual([
    'intag_http_requests_total{route="page",method="GET",status="2xx"} 1',
    'intag_http_requests_total{route="/api/notes/:id",method="DELETE",status="4xx"} 1',
    'intag_http_requests_total{route="page",method="GET",status="3xx"} 1',
    'intag_http_requests_total{route="page",method="GET",status="4xx"} 50',
    'intag_http_requests_total{route="/api/events",method="GET",status="2xx"} 1',
  ])
  const counts = await lines('intag_http_request_duration_seconds_count')
  const streams = counts.filter((line) => line.includes('/api/events'))
  expect(streams, 'a stream lasts as long as its tab').toEqual([])
  expect(counts).toContain('intag_http_request_duration_seconds_count{route="page",method="GET"} 52')
})

test('however a path is spelt, nothing of it becomes a label', () => {
  const spellings = ['eva@x', 'eva%40x', '%65va%40x', '%2541', '%25', 'a%2Fb', ':id', '\n', 'x'.repeat(14_000)]
  expect(new Set(spellings.map((id) => routeLabel(`/api/users/${id}/sessions?q=${id}`)))).toEqual(
    new Set(['/api/users/:id/sessions']),
  )
  const unknown = spellings.flatMap((name) => [`/api/${name}`, `/${name}/eva`, `/api/users/${name}/x`, `//${name}`])
  expect(new Set(unknown.map(routeLabel))).toEqual(new Set(['other', 'page']))
  expect(routeLabel('/api/auth/callback/eva@x')).toBe('/api/auth')
  expect(routeLabel('/api/health/ready')).toBe('/api/health/ready')
})

test('what leaves this process is counted by what came of it', async () => {
  const { counters, lines } = metricsWorld()
  counters.upstreamRequest('list', 'rate-limited')
  counters.signIn('password', 'refused')
  counters.mail('reply', 'sent')
  expect(await lines('intag_upstream_requests_total')).toEqual([
    'intag_upstream_requests_total{purpose="list",outcome="rate-limited"} 1',
  ])
  expect(await lines('intag_sign_ins_total')).toEqual(['intag_sign_ins_total{way="password",outcome="refused"} 1'])
  expect(await lines('intag_mails_total')).toEqual(['intag_mails_total{purpose="reply",outcome="sent"} 1'])
})
