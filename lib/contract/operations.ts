import { z } from 'zod'
import { type Declared, endpoint } from './endpoint'

const nextAuth = z.object({ nextauth: z.array(z.string()) })

export const operationEndpoints = {
  'GET /api/health': endpoint('anyone', 'For people; 503 without the database.', {
    apart: true,
    answer: z.strictObject({
      live: z.literal(true),
      ready: z.boolean(),
      database: z.enum(['up', 'down']),
      data: z.enum(['present', 'waiting']),
    }),
  }),
  'GET /api/health/live': endpoint('anyone', 'Whether the process lives.', {
    apart: true,
    answer: z.strictObject({ live: z.literal(true) }),
  }),
  'GET /api/health/ready': endpoint('anyone', 'For balancers; 503 gives reasons.', {
    apart: true,
    answer: z.strictObject({
      ready: z.boolean(),
      phase: z.string(),
      reasons: z.array(z.string()),
      /** Shared by all instances, so no reason to leave the balancer. */
      degraded: z.array(z.string()),
    }),
  }),
  'GET /api/metrics': endpoint('admin', 'Prometheus text; also with `METRICS_TOKEN` as bearer token.', {
    apart: true,
    content: ['text/plain'],
    errors: { 401: 'neither' },
  }),
  'GET /api/auth/[...nextauth]': endpoint(
    'anyone',
    'next-auth’s `csrf`, `session` (`{expires}` alone), `providers`, single sign-on.',
    { apart: true, params: nextAuth, content: ['application/json', 'text/html'] },
  ),
  'POST /api/auth/[...nextauth]': endpoint(
    'anyone',
    'next-auth’s sign-in (`callback/credentials` with `csrfToken`, `email`, `password`, `json=true`) and sign-out; the provider’s `backchannel-logout`.',
    {
      apart: true,
      params: nextAuth,
      types: ['application/x-www-form-urlencoded', 'application/json'],
      content: ['application/json'],
    },
  ),
} satisfies Declared
