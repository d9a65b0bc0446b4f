import type { InterestQuery } from '@/lib/contract/interest'
import type { LeadKind } from '@/lib/contract/lead'
import { getOrCreate } from '@/lib/get-or-create'
import type { SeasonBoard } from '@/lib/interest/board'
import { createSeasonWindows, findDefaultCohort } from '@/lib/interest/cohort'
import { buildInterestTable, type InterestTable, mergeArrivals } from '@/lib/interest/interest-table'
import { exactRounding, managerRounding } from '@/lib/interest/rounding'
import { addAnswers, createSchoolWork, type SchoolWork } from '@/lib/interest/school-work'
import { countWork } from '@/lib/leads/count-work'
import type { LeadTable } from '@/lib/leads/lead-table'
import { dayText, epochDay, stockholmDay } from '@/lib/time/stockholm'
import { type Allowed, may, scopeKey } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { restrictSnapshot } from '@/server/leads/feed-status'
import { getTriageColumns } from '@/server/leads/list-counts'
import { readUnfilteredTable } from '@/server/leads/lead-tables'
import { type Basis, createTableCache } from '@/server/leads/table-cache'
import { toCountableTable } from '@/server/leads/visible-table'

export type InterestReader = Allowed<'interest:read'>

export function createInterestCaches() {
  return {
    tables: createTableCache<InterestTable>(16),
    boards: createTableCache<SeasonBoard>(64),
    work: createTableCache<WorkBySchool>(16),
  }
}

type WorkBySchool = ReadonlyMap<string, SchoolWork>

/** The numbers behind all answers are cached for each snapshot and scope; work is counted again after decisions. */
export async function readInterestNumbers(services: Services, viewer: InterestReader, query: InterestQuery) {
  const readList = async (kind: LeadKind) => {
    const [{ table, snapshot }, triage, rules] = await Promise.all([
      readUnfilteredTable(services, kind),
      services.triage.getEntries(kind),
      services.work.getRules(kind),
    ])
    return { table, snapshot, triage, rules }
  }
  const [declarations, questions, protections, settings] = await Promise.all([
    readList('declaration-of-interest'),
    readList('asked-question'),
    services.protections.getList(),
    services.work.getSettings(),
  ])
  const isRounded = !may(viewer, 'leads:read')
  // A manager chooses one school or all, because the differences of many rounded sums are exact numbers.
  const chosenIds = query.school?.length ? new Set(query.school) : null
  if (isRounded && chosenIds !== null && chosenIds.size > 1) throw new InvalidInputError('school')
  const tables = { declarations: declarations.table, questions: questions.table }
  const hideProtected = (table: LeadTable) => toCountableTable(protections, viewer, table)
  const visibleTables = { declarations: hideProtected(tables.declarations), questions: hideProtected(tables.questions) }
  const basis: Basis = { table: visibleTables.declarations, otherTable: visibleTables.questions }
  const table = services.interest.tables.getOrMake(scopeKey(viewer), basis, () =>
    buildInterestTable({ tables, visibleTables, scope: viewer.schools, excludesHidden: isRounded }),
  )
  const today = epochDay(stockholmDay(services.now()))
  const cohort = findDefaultCohort(dayText(today), settings.cycle)
  const { current: window } = createSeasonWindows({ cohort, cycle: settings.cycle, today, isWeekly: isRounded })
  const rules = [declarations.rules.key, questions.rules.key]
  const key = JSON.stringify([scopeKey(viewer), today, window, ...rules, services.triage.getVersion()])
  const work = services.interest.work.getOrMake(key, basis, () => {
    const bySchool = new Map<string, SchoolWork>()
    const getSchoolWork = (id: string) => getOrCreate(bySchool, id, createSchoolWork)
    addAnswers(getSchoolWork, table.declarations, { ...declarations, window, today })
    addAnswers(getSchoolWork, table.questions, { ...questions, window, today })
    const columns = getTriageColumns(services, questions.table, { triage: questions.triage, work: questions.rules })
    const { waitingBySchool, lateBySchool } = countWork(questions.table, table.questions.rows, columns, questions.rules)
    for (const [index, id] of questions.table.schoolIds.entries()) {
      const schoolWork = getSchoolWork(id)
      schoolWork.waiting = waitingBySchool[index] ?? 0
      schoolWork.late = lateBySchool[index] ?? 0
    }
    return bySchool
  })
  const chosenTallies = chosenIds && [...chosenIds].flatMap((id) => table.bySchool.get(id) ?? [])
  return {
    table,
    visibleTables,
    basis,
    work,
    chosenIds,
    chosenArrivals: chosenTallies === null ? table.all : mergeArrivals(chosenTallies),
    cohort: query.cohort ?? cohort,
    settings,
    today,
    isRounded,
    rounding: isRounded ? managerRounding : exactRounding,
    snapshot: restrictSnapshot(viewer, declarations.snapshot),
  }
}

export function selectWork(work: WorkBySchool, schoolIds: ReadonlySet<string> | null): SchoolWork[] {
  return schoolIds === null ? [...work.values()] : [...schoolIds].flatMap((id) => work.get(id) ?? [])
}
