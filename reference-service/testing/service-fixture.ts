import { createReferenceService, type ReferenceServiceOptions } from '../service'
import { createStore, type Scope, type UnsortedData } from '../store'

export const fixtureData: UnsortedData = {
  highSchools: [
    { id: 'oster', name: 'Österskolan' },
    { id: 'alm', name: 'Almskolan' },
    { id: 'ang', name: 'Ängsskolan' },
    { id: 'as', name: 'Åsskolan' },
    { id: 'zeta', name: 'Zetaskolan' },
  ],
  askedQuestions: [
    question('q-old', 'alm', '2026-01-01T10:00:00.000Z'),
    question('q-b', 'oster', '2026-02-01T10:00:00.000Z'),
    question('q-a', 'alm', '2026-02-01T10:00:00.000Z'),
    question('q-new', 'ang', '2026-02-01T10:00:00.001Z'),
  ],
  declarationsOfInterest: [
    declaration('d-old', 'oster', '2025-03-01T10:00:00.000Z'),
    declaration('d-new', 'alm', '2026-03-01T10:00:00.000Z'),
    declaration('d-orphan', 'nowhere', '2025-12-01T10:00:00.000Z'),
  ],
}

export const fixtureTokens = new Map<string, Scope>([
  ['t-all', 'all'],
  ['t-some', ['alm', 'ang']],
  ['t-empty', []],
  ['t-none', 'none'],
])

export function createFixture(options: Partial<ReferenceServiceOptions> = {}) {
  const time = { now: 1_000_000 }
  const store = createStore(fixtureData, fixtureTokens)
  const handle = createReferenceService({ source: store, clock: () => time.now, ...options })
  return {
    time,
    store,
    call(path: string, token: string | null = 't-all', init: RequestInit = {}): Promise<Response> {
      const headers = new Headers(init.headers)
      if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`)
      return handle(new Request(`http://service.test${path}`, { ...init, headers }))
    },
  }
}

export function question(id: string, highSchoolId: string, createdAt: string): UnsortedData['askedQuestions'][number] {
  const sender = { mode: 'email', email: 'a@example.se', phone: null } as const
  return { id, highSchoolId, highSchoolName: `name of ${highSchoolId}`, createdAt, question: 'Hej?', sender }
}

export function declaration(id: string, highSchoolId: string, createdAt: string) {
  const user = { firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.se', phone: '+46701740606' }
  return { id, highSchoolId, createdAt, user: { ...user, highSchoolEnrollmentYear: 2027 } }
}
