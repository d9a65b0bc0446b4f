import type { AskedQuestion, DeclarationOfInterest, HighSchool } from './specification'

const SWEDISH_ORDER = new Intl.Collator('sv')

export function createStore(data: UnsortedData, tokens: Tokens) {
  let current = sortData(data)
  let currentTokens = tokens
  return {
    current: () => current,
    tokens: () => currentTokens,
    replace(next: UnsortedData, nextTokens: Tokens) {
      current = sortData(next)
      currentTokens = nextTokens
    },
    addAskedQuestion(question: AskedQuestion) {
      current = { ...current, askedQuestions: insertSorted(current.askedQuestions, question) }
    },
    addDeclaration(declaration: DeclarationOfInterest) {
      current = { ...current, declarationsOfInterest: insertSorted(current.declarationsOfInterest, declaration) }
    },
  }
}

export type Scope = 'all' | readonly string[] | 'none'
/** The scope of each token: all schools, those of these ids, or none. */
export type Tokens = ReadonlyMap<string, Scope>

/** A data object never changes. An arrival or an edited file makes a new object, so answers may be cached by identity. */
export type ServiceData = { readonly [List in keyof UnsortedData]: readonly UnsortedData[List][number][] }

export type UnsortedData = {
  highSchools: HighSchool[]
  askedQuestions: AskedQuestion[]
  declarationsOfInterest: DeclarationOfInterest[]
}

export type Store = ReturnType<typeof createStore>
export type DataSource = Pick<Store, 'current' | 'tokens'>

function sortData({ highSchools, askedQuestions, declarationsOfInterest }: UnsortedData): ServiceData {
  return {
    highSchools: highSchools.toSorted((a, b) => SWEDISH_ORDER.compare(a.name, b.name) || (a.id < b.id ? -1 : 1)),
    askedQuestions: askedQuestions.toSorted(compareNewestFirst),
    declarationsOfInterest: declarationsOfInterest.toSorted(compareNewestFirst),
  }
}

function insertSorted<T extends { createdAt: string; id: string }>(list: readonly T[], item: T): T[] {
  const index = list.findIndex((other) => compareNewestFirst(item, other) < 0)
  return index === -1 ? [...list, item] : list.toSpliced(index, 0, item)
}

/** Orders leads newest first, then by id. Times are ISO 8601 with milliseconds and Z, so they sort as text. */
export function compareNewestFirst(a: { createdAt: string; id: string }, b: { createdAt: string; id: string }): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1
  return a.id < b.id ? -1 : 1
}

/** Returns the token and its scope, if it is known. The scheme's name is case-insensitive (RFC 9110, 11.1), and one token follows it (RFC 6750, 2.1). */
export function authenticate(authorization: string | null, tokens: Tokens) {
  const [, token = ''] = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '') ?? []
  const scope = tokens.get(token)
  return scope && { token, scope }
}

export type PermittedScope = Exclude<Scope, 'none'>

export function listInScope<List extends keyof ServiceData>(data: ServiceData, list: List, scope: PermittedScope) {
  const items: readonly ServiceData[List][number][] = data[list]
  if (scope === 'all') return items
  const ids = new Set(scope)
  return items.filter((item) => ids.has('highSchoolId' in item ? item.highSchoolId : item.id))
}

/** Makes a token for all schools, one for the first half of them, at least one, and one that may read nothing. */
export function createTokens(tokens: { all: string; some: string; none: string }, schools: readonly HighSchool[]) {
  const half = schools.slice(0, Math.max(1, schools.length >> 1)).map(({ id }) => id)
  return new Map<string, Scope>([
    [tokens.all, 'all'],
    [tokens.some, half],
    [tokens.none, 'none'],
  ])
}

export function createSeededTokens(seed: number, schools: readonly HighSchool[]) {
  return createTokens({ all: `all-${seed}`, some: `some-${seed}`, none: `none-${seed}` }, schools)
}
