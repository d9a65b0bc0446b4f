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

export const endpoints = ['askedQuestions', 'declarationsOfInterest', 'highSchools', 'highSchool'] as const
export type Endpoint = (typeof endpoints)[number]

/** Relative to the base URL, which carries the fixed path prefix. */
export const endpointPaths: Record<Endpoint, string> = {
  askedQuestions: '/external/conversions/askedQuestions',
  declarationsOfInterest: '/external/conversions/declarationsOfInterest',
  highSchools: '/external/highSchools',
  highSchool: '/external/highSchool',
}

export type Limits = { perSecond: number; perHour: number }

export const specifiedLimits: Limits = { perSecond: 10, perHour: 600 }

export type Clock = () => number
