import { accountEndpoints } from './account'
import { activityEndpoints } from './activity'
import { attemptEndpoints } from './attempts'
import { dayEndpoints } from './day'
import { byId, type Declared } from './endpoint'
import { exportEndpoints } from './export'
import { feedEndpoints } from './feed-status'
import { interestEndpoints } from './interest'
import { leadEndpoints } from './lead'
import { listEndpoints } from './list-query'
import { eventEndpoints } from './live-event'
import { noteEndpoints } from './notes'
import { operationEndpoints } from './operations'
import { rightsEndpoints } from './rights'
import { settingsEndpoints } from './settings'
import { triageEndpoints } from './triage'
import { userEndpoints } from './user'

const declared = {
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
  ...operationEndpoints,
} satisfies Declared

type WithId<All> = {
  [Name in keyof All]: Name extends `${string}[id]${string}` ? { params: typeof byId } & All[Name] : All[Name]
}

/** Every endpoint of the API. With zod, so browsers know of it by its type alone. */
export const endpoints = Object.fromEntries(
  Object.entries(declared).map(([name, terms]) => [name, name.includes('[id]') ? { params: byId, ...terms } : terms]),
) as WithId<typeof declared>

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
