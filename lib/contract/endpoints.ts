import { accountEndpoints } from './account'
import { activityEndpoints } from './activity'
import { cycleEndpoints } from './admission-cycle'
import { attemptEndpoints } from './attempts'
import { contactEndpoints } from './contact'
import { dayEndpoints } from './day'
import type { Declared } from './endpoint'
import { exportEndpoints } from './export'
import { feedEndpoints } from './feed-status'
import { interestEndpoints } from './interest'
import { highSchoolEndpoints } from './lead'
import { listEndpoints } from './list-query'
import { eventEndpoints } from './live-event'
import { mailEndpoints } from './mail'
import { noteEndpoints } from './notes'
import { operationEndpoints } from './operations'
import { preferenceEndpoints } from './preferences'
import { readingEndpoints } from './reading'
import { templateEndpoints } from './reply-template'
import { rightsEndpoints } from './rights'
import { viewEndpoints } from './saved-view'
import { secondFactorEndpoints } from './second-factor'
import { triageEndpoints } from './triage'
import { userEndpoints } from './user'
import { workEndpoints } from './work-settings'

/** Every endpoint of the API. With zod, so browsers know of it by its type alone. */
export const endpoints = {
  ...listEndpoints,
  ...highSchoolEndpoints,
  ...contactEndpoints,
  ...dayEndpoints,
  ...triageEndpoints,
  ...attemptEndpoints,
  ...noteEndpoints,
  ...viewEndpoints,
  ...templateEndpoints,
  ...eventEndpoints,
  ...exportEndpoints,
  ...interestEndpoints,
  ...cycleEndpoints,
  ...accountEndpoints,
  ...secondFactorEndpoints,
  ...preferenceEndpoints,
  ...userEndpoints,
  ...workEndpoints,
  ...activityEndpoints,
  ...readingEndpoints,
  ...rightsEndpoints,
  ...feedEndpoints,
  ...mailEndpoints,
  ...operationEndpoints,
} satisfies Declared

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
