export type HighSchool = { id: string; name: string }

export type AskedQuestion = {
  id: string
  highSchoolId: string
  highSchoolName: string
  createdAt: string
  question: string
  sender: { mode: 'email'; email: string; phone: null } | { mode: 'phone'; phone: string; email: null }
}

export type DeclarationOfInterest = {
  id: string
  highSchoolId: string
  createdAt: string
  user: { firstName: string; lastName: string; email: string; phone: string; highSchoolEnrollmentYear: number }
}

/** All schools, these, or none at all: a token with `none` is known but not permitted. */
export type SchoolScope = 'all' | readonly string[] | 'none'

/** The label names the token in logs, where the token itself must not stand. */
export type Grant = { label: string; schools: SchoolScope }

/** Never changes; an arrival or an edited file makes a new one, so answers may be kept for as long as it lives. */
export type ServiceData = {
  readonly highSchools: readonly HighSchool[]
  readonly askedQuestions: readonly AskedQuestion[]
  readonly declarationsOfInterest: readonly DeclarationOfInterest[]
}

export type DataSource = { current(): ServiceData; tokens(): ReadonlyMap<string, Grant> }

export type Limits = { perSecond: number; perHour: number }

/** Milliseconds since the epoch. */
export type Clock = () => number

/** What the specification gives as the limits of all endpoints. */
export const specifiedLimits: Limits = { perSecond: 10, perHour: 600 }
