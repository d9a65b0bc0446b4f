import type { InterestQuery } from '@/lib/contract/interest'
import type { LeadKind } from '@/lib/contract/lead'
import { getOrCreate } from '@/lib/get-or-create'
import { createSeasonWindows, type DayWindow, findDefaultCohort } from '@/lib/interest/cohort'
import { buildInterestTable, type InterestTable, mergeArrivals } from '@/lib/interest/interest-table'
import { exactRounding, managerRounding } from '@/lib/interest/rounding'
import { addAnswers, createSchoolWork, type SchoolWork } from '@/lib/interest/school-work'
import { countWork } from '@/lib/leads/count-work'
import { parseIsoDay, toStockholmDay } from '@/lib/time/stockholm'
import { type Allowed, may, toScopeKey } from '@/server/access/viewer'
import { InvalidInputError } from '@/server/base/errors'
import type { Services } from '@/server/base/services'
import { restrictSnapshot } from '@/server/leads/feed-status'
import { readUnfilteredTable } from '@/server/leads/lead-tables'
import { getTriageColumns } from '@/server/leads/list-counts'
import type { SourceTables } from '@/server/leads/table-cache'
import { toCountableTable } from '@/server/leads/visible-table'
import type { WorkBySchool } from './services'

export type InterestReader = Allowed<'interest:read'>

/** Reads the exact numbers behind all answers, and how to round them. Viewers with the same scope share them. */
export async function readInterestNumbers(services: Services, viewer: InterestReader, query: InterestQuery) {
  const isRounded = !may(viewer, 'leads:read')
  const chosenIds = query.school?.length ? new Set(query.school) : null
  // A manager chooses one school or all, because the differences of many rounded sums are exact numbers.
  if (isRounded && chosenIds !== null && chosenIds.size > 1) throw new InvalidInputError('school')
  const [declarations, questions, protections, settings] = await Promise.all([
    readInterestList(services, 'declaration-of-interest'),
    readInterestList(services, 'asked-question'),
    services.protections.getList(),
    services.work.getSettings(),
  ])
  const tables = { declarations: declarations.table, questions: questions.table }
  const visibleTables = {
    declarations: toCountableTable(protections, viewer, tables.declarations),
    questions: toCountableTable(protections, viewer, tables.questions),
  }
  const basis: SourceTables = { table: visibleTables.declarations, otherTable: visibleTables.questions }
  const table = services.interest.tables.getOrMake(toScopeKey(viewer), basis, () =>
    buildInterestTable({ tables, visibleTables, scope: viewer.schools, excludesHidden: isRounded }),
  )
  const today = toStockholmDay(services.now())
  const todayEpochDay = parseIsoDay(today)
  const { cycle } = settings
  const currentCohort = findDefaultCohort(today, cycle)
  const judgedWindow = createSeasonWindows({ cohort: currentCohort, cycle, todayEpochDay, isWeekly: isRounded }).current
  const ruleKeys = [declarations.rules.key, questions.rules.key]
  const key = JSON.stringify([toScopeKey(viewer), today, judgedWindow, ruleKeys, services.triage.getVersion()])
  const work = services.interest.work.getOrMake(key, basis, () =>
    countWorkBySchool(services, table, { declarations, questions }, { judgedWindow, todayEpochDay }),
  )
  const chosenSchools = chosenIds && [...chosenIds].flatMap((id) => table.bySchool.get(id) ?? [])
  return {
    table,
    visibleTables,
    basis,
    work,
    chosenIds,
    isChosen: (schoolId: string) => chosenIds === null || chosenIds.has(schoolId),
    chosenArrivals: chosenSchools === null ? table.all : mergeArrivals(chosenSchools),
    cohort: query.cohort ?? currentCohort,
    currentCohort,
    settings,
    todayEpochDay,
    isRounded,
    rounding: isRounded ? managerRounding : exactRounding,
    snapshot: restrictSnapshot(viewer, declarations.snapshot),
  }
}

type InterestList = Awaited<ReturnType<typeof readInterestList>>

async function readInterestList(services: Services, kind: LeadKind) {
  const [{ table, snapshot }, triage, rules] = await Promise.all([
    readUnfilteredTable(services, kind),
    services.triage.getEntries(kind),
    services.work.getRules(kind),
  ])
  return { table, snapshot, triage, rules }
}

/** Counts the answers in both lists, but only questions as waiting and late. */
function countWorkBySchool(
  services: Services,
  table: InterestTable,
  { declarations, questions }: Record<'declarations' | 'questions', InterestList>,
  period: { judgedWindow: DayWindow; todayEpochDay: number },
): WorkBySchool {
  const bySchool = new Map<string, SchoolWork>()
  const getSchoolWork = (id: string) => getOrCreate(bySchool, id, createSchoolWork)
  addAnswers(getSchoolWork, table.declarations, { ...declarations, ...period })
  addAnswers(getSchoolWork, table.questions, { ...questions, ...period })
  const columns = getTriageColumns(services, questions.table, { triage: questions.triage, work: questions.rules })
  const { waitingBySchool, lateBySchool } = countWork(questions.table, table.questions.rows, columns, questions.rules)
  for (const [index, id] of questions.table.schoolIds.entries()) {
    const schoolWork = getSchoolWork(id)
    schoolWork.waitingCount = waitingBySchool[index] ?? 0
    schoolWork.lateCount = lateBySchool[index] ?? 0
  }
  return bySchool
}

/** Selects the work of these schools, or for null of all in scope. */
export function selectWork(work: WorkBySchool, schoolIds: ReadonlySet<string> | null): SchoolWork[] {
  return schoolIds === null ? [...work.values()] : [...schoolIds].flatMap((id) => work.get(id) ?? [])
}
