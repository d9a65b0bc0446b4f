import type { z } from 'zod'
import { accountEndpoints, authEndpoints } from './account'
import { activityEndpoints } from './activity'
import { attemptEndpoints } from './attempts'
import { dayEndpoints } from './day'
import { type EndpointDeclarations, idParamsSchema } from './endpoint'
import { exportEndpoints } from './export'
import { feedEndpoints } from './feed-status'
import { interestEndpoints } from './interest'
import { leadEndpoints } from './lead'
import { listEndpoints } from './list-query'
import { eventEndpoints } from './live-event'
import { noteEndpoints } from './notes'
import { rightsEndpoints } from './rights'
import { viewEndpoints } from './saved-views'
import { healthEndpoints, serviceReportEndpoints } from './service-report'
import { settingsEndpoints } from './settings'
import { templateEndpoints } from './templates'
import { triageEndpoints } from './triage'
import { userEndpoints } from './user'

const declaredEndpoints = {
  ...listEndpoints,
  ...viewEndpoints,
  ...leadEndpoints,
  ...dayEndpoints,
  ...triageEndpoints,
  ...attemptEndpoints,
  ...templateEndpoints,
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
  ...healthEndpoints,
  ...authEndpoints,
} satisfies EndpointDeclarations

/** A path with `[id]` has the parameters of `idParamsSchema`, unless its declaration has others. */
type WithIdParams<All> = {
  [Name in keyof All]: Name extends `${string}[id]${string}` ? { params: typeof idParamsSchema } & All[Name] : All[Name]
}

/** Browser code imports only the types of this file, because the declarations would bring zod into its bundle. */
export const endpoints = Object.fromEntries(
  Object.entries(declaredEndpoints).map(([name, declaration]) => [
    name,
    name.includes('[id]') ? { params: idParamsSchema, ...declaration } : declaration,
  ]),
) as WithIdParams<typeof declaredEndpoints>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints

export type Body<Name extends EndpointName> = Endpoints[Name] extends { body: infer S extends z.ZodType }
  ? z.output<S>
  : never

/** An endpoint without a declared answer gives an empty object. */
export type Answer<Name extends EndpointName> = Endpoints[Name] extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : Endpoints[Name] extends { responseTypes: unknown }
    ? never
    : Record<string, never>
