import 'server-only'
import type { UpstreamClient } from '@/server/upstream/client'
import type { ListName } from '@/server/feed/list-state'
import type { VirtualTime } from './virtual-time'

export const REQUEST_MS = 400
const CREATED_AT = '2026-11-19T10:00:00.000Z'

type Answer = Awaited<ReturnType<UpstreamClient['fetchList']>>
type Sent = { by: string; list: ListName; at: number; etag: string | undefined }

/** A service that answers in virtual time, knows validators, and writes down who asked (`at`: ms since the start). */
export function countingService(time: VirtualTime) {
  const start = time.now()
  const requests: Sent[] = []
  const service = { ids: ['a'], status: 200 }

  function answer(list: ListName, known: string | undefined): Answer {
    const { ids, status } = service
    if (status !== 200) return { ok: false, kind: 'unavailable', detail: `status ${status}` }
    const etag = `"${ids.join()}"`
    const course = { startedAt: time.now() - REQUEST_MS, finishedAt: time.now(), validators: { etag } }
    if (known === etag) return { ok: true, notModified: true, bytes: 0, ...course }
    const body = Buffer.from(JSON.stringify({ [FIELD[list]]: ids.map(RECORD[list]) }))
    return { ok: true, notModified: false, body, bytes: body.byteLength, ...course }
  }

  return {
    service,
    requests,
    requestsFor: (list: ListName) => requests.filter((request) => request.list === list),
    /** How one instance asks; after its death no answer reaches it. */
    clientOf: (by: string, isDead: () => boolean): Pick<UpstreamClient, 'fetchList'> => ({
      fetchList: (list, { validators } = {}) => {
        requests.push({ by, list, at: time.now() - start, etag: validators?.etag })
        return new Promise((resolve) => {
          time.after(REQUEST_MS, () => void (isDead() || resolve(answer(list, validators?.etag))))
        })
      },
    }),
  }
}

const FIELD = {
  'asked-questions': 'askedQuestions',
  'declarations-of-interest': 'declarationsOfInterest',
  'high-schools': 'highSchools',
} as const
const RECORD: Record<ListName, (id: string) => object> = {
  'asked-questions': (id) => ({
    id,
    highSchoolId: 's',
    highSchoolName: 'Norra',
    createdAt: CREATED_AT,
    question: 'När?',
    sender: { mode: 'email', email: 'a@b.test', phone: null },
  }),
  'declarations-of-interest': (id) => ({
    id,
    highSchoolId: 's',
    createdAt: CREATED_AT,
    user: {
      firstName: 'Åsa',
      lastName: 'Ek',
      email: 'a@b.test',
      phone: '+46701234567',
      highSchoolEnrollmentYear: 2027,
    },
  }),
  'high-schools': (id) => ({ id, name: `Skola ${id}` }),
}
