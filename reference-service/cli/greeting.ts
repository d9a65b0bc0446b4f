import { sampleTokens } from '../data/tokens'
import { endpointPaths } from '../http/endpoints'
import type { DataSource } from '../model'

/** What is printed once the service listens: how to call it, or one line of JSON. */
export function greeting(baseUrl: string, source: DataSource, json: boolean): string {
  const tokens = sampleTokens(source.tokens())
  if (json) return JSON.stringify({ baseUrl, tokens })
  const { highSchools, askedQuestions, declarationsOfInterest } = source.current()
  const token = tokens.all ?? tokens.some ?? '<token>'
  const curl = (path: string) => `  curl -H 'Authorization: Bearer ${token}' '${baseUrl}${path}'`
  const [school] = highSchools
  return [
    `Education leads and high schools, at ${baseUrl}`,
    `Schools: ${highSchools.length}; declarations: ${declarationsOfInterest.length}; questions: ${askedQuestions.length}`,
    '',
    `Tokens: ${tokens.all ?? '-'} (all schools), ${tokens.some ?? '-'} (some), ${tokens.none ?? '-'} (403)`,
    '',
    curl(endpointPaths.highSchools),
    curl(`${endpointPaths.highSchool}?id=${encodeURIComponent(school?.id ?? '')}`),
    curl(endpointPaths.declarationsOfInterest),
    curl(endpointPaths.askedQuestions),
  ].join('\n')
}
