import { z } from 'zod'
import { accountEndpoints } from './account'
import { activityEndpoints } from './activity'
import { attemptEndpoints } from './attempts'
import { dayEndpoints } from './day'
import { endpoint, type EndpointDeclarations, idParamsSchema } from './endpoint'
import { exportEndpoints } from './export'
import { feedEndpoints } from './feed-status'
import { interestEndpoints } from './interest'
import { leadEndpoints } from './lead'
import { listEndpoints } from './list-query'
import { eventEndpoints } from './live-event'
import { noteEndpoints } from './notes'
import { rightsEndpoints } from './rights'
import { serviceReportEndpoints } from './service-report'
import { settingsEndpoints } from './settings'
import { triageEndpoints } from './triage'
import { userEndpoints } from './user'

const nextAuthParamsSchema = z.object({ nextauth: z.array(z.string()) })

const endpointsWithoutParams = {
  ...listEndpoints,
  ...leadEndpoints,
  ...dayEndpoints,
  ...triageEndpoints,
  ...attemptEndpoints,
  ...noteEndpoints,
  ...eventEndpoints,
  ...exportEndpoints,
  ...interestEndpoints,
  ...settingsEndpoints,
  ...accountEndpoints,
  ...userEndpoints,
  ...activityEndpoints,
  ...rightsEndpoints,
  ...feedEndpoints,
  ...serviceReportEndpoints,
  'GET /api/health': endpoint('anyone', 'For people; 503 without the database.', {
    hasOwnHandler: true,
    answer: z.strictObject({
      live: z.literal(true),
      ready: z.boolean(),
      database: z.enum(['up', 'down']),
      data: z.enum(['present', 'waiting']),
    }),
  }),
  'GET /api/health/live': endpoint('anyone', 'Whether the process lives.', {
    hasOwnHandler: true,
    answer: z.strictObject({ live: z.literal(true) }),
  }),
  'GET /api/health/ready': endpoint('anyone', 'For balancers; 503 gives reasons.', {
    hasOwnHandler: true,
    answer: z.strictObject({
      ready: z.boolean(),
      phase: z.string(),
      reasons: z.array(z.string()),
      /** These faults are shared by all instances, so they are no reason to leave the balancer. */
      degraded: z.array(z.string()),
    }),
  }),
  'GET /api/metrics': endpoint('admin', 'Prometheus text; also with `METRICS_TOKEN` as bearer token.', {
    hasOwnHandler: true,
    responseTypes: ['text/plain'],
    errors: { 401: 'neither' },
  }),
  'GET /api/auth/[...nextauth]': endpoint(
    'anyone',
    'next-auth’s `csrf`, `session` (`{expires}` alone), `providers`, single sign-on.',
    { hasOwnHandler: true, params: nextAuthParamsSchema, responseTypes: ['application/json', 'text/html'] },
  ),
  'POST /api/auth/[...nextauth]': endpoint(
    'anyone',
    'next-auth’s sign-in (`callback/credentials` with `csrfToken`, `email`, `password`, `json=true`) and sign-out; the provider’s `backchannel-logout`.',
    {
      hasOwnHandler: true,
      params: nextAuthParamsSchema,
      requestTypes: ['application/x-www-form-urlencoded', 'application/json'],
      responseTypes: ['application/json'],
    },
  ),
} satisfies EndpointDeclarations

type WithId<All> = {
  [Name in keyof All]: Name extends `${string}[id]${string}` ? { params: typeof idParamsSchema } & All[Name] : All[Name]
}

/** Browser code imports the types of these alone, because the declarations need zod. */
export const endpoints = Object.fromEntries(
  Object.entries(endpointsWithoutParams).map(([name, declaration]) => [
    name,
    name.includes('[id]') ? { params: idParamsSchema, ...declaration } : declaration,
  ]),
) as WithId<typeof endpointsWithoutParams>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

export type Body<Name extends EndpointName> = Endpoints[Name] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : never

export type Answer<Name extends EndpointName> = Endpoints[Name] extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : Endpoints[Name] extends { responseTypes: unknown }
    ? never
    : Record<string, never>
