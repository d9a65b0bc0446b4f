export const endpoints = ['askedQuestions', 'declarationsOfInterest', 'highSchools', 'highSchool'] as const
export type Endpoint = (typeof endpoints)[number]

/** Relative to the base URL, which carries the fixed path prefix. */
export const endpointPaths: Record<Endpoint, string> = {
  askedQuestions: '/external/conversions/askedQuestions',
  declarationsOfInterest: '/external/conversions/declarationsOfInterest',
  highSchools: '/external/highSchools',
  highSchool: '/external/highSchool',
}
