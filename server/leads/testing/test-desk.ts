import 'server-only'
import type { LeadTable } from '@/lib/leads/lead-table'
import { leadTableOf } from '@/lib/leads/lead-table-of'
import type { AskedQuestion, DeclarationOfInterest } from '@/lib/contract/lead'
import type { Role, SchoolScope } from '@/lib/contract/user'
import { makeViewer, type Viewer } from '@/server/access/make-viewer'
import { createActivity } from '@/server/activity/activity'
import { createContactIds } from '@/server/contacts/contact-id'
import type { Connect } from '@/server/db/db'
import { openPgliteInMemory } from '@/server/db/open-pglite'
import { users as usersTable } from '@/server/db/schema'
import { createAnnouncer } from '@/server/events/announcer'
import type { HubEvent } from '@/server/events/desk-event'
import { createHub } from '@/server/events/hub'
import type { HighSchoolList } from '@/server/feed/attempts'
import { emptyListState, type ListState } from '@/server/feed/list-state'
import { createKeptTriageColumns } from '@/server/leads/kept-triage-columns'
import { createSharedPresence } from '@/server/presence/shared-presence'
import { createSeal } from '@/server/secrets/seal'
import { createBulkTurns } from '@/server/triage/bulk-turns'
import { createTriageBoard } from '@/server/triage/triage-board'
import { createUsers } from '@/server/users/users'
import { createViewCounts } from '@/server/views/view-counts'
import { createVisits } from '@/server/visits/visits'

export type TestDesk = Awaited<ReturnType<typeof openTestDesk>>

const KEY = new Uint8Array(32).fill(7)

/** What verbs find in `services()`: a database in memory, and lists that the test writes. Nothing waits. */
export async function openTestDesk() {
  const database = await openPgliteInMemory()
  const connect = async () => database.db
  const time = { ms: Date.UTC(2026, 10, 20, 8) }
  const now = () => time.ms
  const lists = {
    questions: listState(leadTableOf('asked-question', [])),
    declarations: listState(leadTableOf('declaration-of-interest', [])),
  }
  const events: HubEvent[] = []
  const hub = createHub<HubEvent>()
  hub.subscribe({ onEvent: (event) => events.push(event), onClose: () => {} })
  const schedule = (_: number, run: () => void) => run()
  const announcer = createAnnouncer({ hub, redis: null, schedule })
  const parts = { ...partsOf(connect, now), announcer, feed: feedOf(lists) }
  return {
    parts,
    time,
    events,
    db: database.db,
    close: () => database.close(),
    setQuestions: (leads: AskedQuestion[]) => {
      lists.questions = listState(leadTableOf('asked-question', leads))
    },
    setDeclarations: (leads: DeclarationOfInterest[]) => {
      lists.declarations = listState(leadTableOf('declaration-of-interest', leads))
    },
    /** Somebody who is signed in and stands in the table of users. */
    person: async (id: string, role: Role, schools: SchoolScope): Promise<Viewer> => {
      const person = { id, name: id, email: `${id}@skola.example`, role, schools }
      await database.db.insert(usersTable).values({ ...person, createdAt: new Date(now()) })
      return makeViewer(person)
    },
  }
}

function partsOf(connect: Connect, now: () => number) {
  const onUnreachable = (error: unknown): never => {
    throw new Error('the database was there', { cause: error })
  }
  return {
    connect,
    now,
    presence: createSharedPresence({ now, schedule: () => {}, onChange: () => {}, redis: null }),
    seal: createSeal(KEY),
    contactIds: createContactIds(KEY),
    activity: createActivity({ db: connect, clock: now }),
    users: createUsers({ db: connect, clock: now, demo: false }),
    triage: createTriageBoard({ connect, onUnreachable }),
    visits: createVisits({ connect, now, onUnreachable }),
    bulkTurns: createBulkTurns(),
    viewCounts: createViewCounts(),
    triageColumns: createKeptTriageColumns(),
  }
}

function feedOf(lists: { questions: TestList; declarations: TestList }) {
  return {
    look: () => {},
    ready: async () => {},
    askedQuestions: () => lists.questions,
    declarations: () => lists.declarations,
    highSchools: () => emptyListState<HighSchoolList>(),
  }
}

type TestList = ListState<{ table: LeadTable }>

function listState(table: LeadTable | null): TestList {
  const content = table && { table }
  return { ...emptyListState<{ table: LeadTable }>(), content, version: 1, fetchedAt: Date.UTC(2026, 10, 20, 7) }
}

export function declaration(
  id: string,
  fields: Partial<DeclarationOfInterest['user']> & { school?: string; createdAt?: string } = {},
): DeclarationOfInterest {
  const { school = 'norra', createdAt = '2026-11-20T07:00:00.000Z', ...user } = fields
  const nobody = { firstName: null, lastName: null, email: null, phone: null, highSchoolEnrollmentYear: 2027 }
  return { id, highSchoolId: school, createdAt, user: { ...nobody, ...user } }
}

export function question(
  id: string,
  fields: { email?: string; phone?: string; school?: string; createdAt?: string } = {},
): AskedQuestion {
  const { email = null, phone = null, school = 'norra', createdAt = '2026-11-20T07:00:00.000Z' } = fields
  const mode = phone === null ? 'email' : 'phone'
  return {
    id,
    highSchoolId: school,
    highSchoolName: school,
    createdAt,
    question: 'Hej?',
    sender: { mode, phone, email },
  }
}
