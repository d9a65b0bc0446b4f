import { groupBy } from '@/lib/group-by'
import { NO_YEAR } from '@/lib/leads/lead-table'
import { mondayOf } from '@/lib/time/weeks'
import type { Headline } from './cohort-curves'
import {
  type Count,
  type InterestCounts,
  interestCounts,
  type InterestSelection,
  type YearDays,
} from './interest-counts'
import { FEW, LEAST_GROUP, sumWithFew, withheldCount } from './small-groups'
import type { ToldLeads } from './told-leads'

/**
 * The counts for who may only count, over the leads as they are told. Schools and years with one to four are among the
 * cells, and count for two or three in sums; a period tells nothing of them, nor do weeks and curves.
 */
export function withheldCounts(told: ToldLeads, selection: InterestSelection): InterestCounts {
  const isOpen = selection.from === -Infinity && selection.to === Infinity
  const isChosen = (school: string) => selection.schools === null || selection.schools.has(school)
  const few = isOpen ? told.few.filter(({ highSchoolId }) => isChosen(highSchoolId)).map(fewCell) : []
  const fewQuestions = isOpen ? told.fewQuestions.filter(isChosen) : []
  const { cells, byYear, bySchool, total, weeks, modes, years } = interestCounts(
    told.leads(selection.schools === null ? 'all' : 'chosen'),
    selection,
  )
  return {
    cells: [...cells.map(withoutFew), ...few],
    byYear: withFew(
      byYear,
      few,
      ({ year }) => year,
      ({ year }) => ({ year, ...NONE }),
    ),
    bySchool: withFew(
      withFewQuestions(bySchool, fewQuestions),
      few,
      ({ highSchoolId }) => highSchoolId,
      ({ highSchoolId }) => ({ highSchoolId, ...NONE, questions: 0 }),
    ),
    total: {
      ...plusFew(total, few.length),
      questions: sumWithFew(total.questions, fewQuestions.length),
      ...(fewQuestions.length > 0 && { areQuestionsAbout: true }),
    },
    weeks: weeks.map((week) => ({
      ...week,
      declarations: withheldCount(week.declarations),
      questions: withheldCount(week.questions),
    })),
    modes: modes.map(({ mode, questions }) => ({ mode, questions: withheldCount(questions) })),
    years: years.map(({ year, declarations, people }) => ({
      year,
      declarations: inSteps(declarations),
      people: inSteps(people),
    })),
  }
}

const NONE: Count = { declarations: 0, people: 0 }

type Cell = InterestCounts['cells'][number]

function fewCell({ highSchoolId, year }: ToldLeads['few'][number]): Cell {
  const declarations = FEW
  return { highSchoolId, year: year === NO_YEAR ? null : year, declarations, people: FEW, isAbout: true }
}

/** A number in either unit, as it may be told. */
function withoutFew<C extends Count>(count: C): C {
  const told = { declarations: withheldCount(count.declarations), people: withheldCount(count.people) }
  const isFew = told.declarations === FEW || told.people === FEW
  return { ...count, ...told, ...(isFew && { isAbout: true }) }
}

/** Sums with the few of each; `make` where there is nothing but few. */
function withFew<S extends Count, K>(
  sums: readonly S[],
  few: readonly Cell[],
  keyOf: (of: S | Cell) => K,
  make: (cell: Cell) => S,
): S[] {
  const counts = groupBy(few, keyOf)
  const known = new Set(sums.map(keyOf))
  const missing = [...counts].flatMap(([key, [cell]]) => (known.has(key) || cell === undefined ? [] : [make(cell)]))
  return [...sums, ...missing].map((sum) => plusFew(sum, counts.get(keyOf(sum))?.length ?? 0))
}

/** A sum in which `groups` are of one to four. */
function plusFew<C extends Count>(count: C, groups: number): C {
  const { declarations, people } = count
  const sums = { declarations: sumWithFew(declarations, groups), people: sumWithFew(people, groups) }
  return withoutFew({ ...count, ...sums, ...(groups > 0 && { isAbout: true }) })
}

function withFewQuestions(schools: InterestCounts['bySchool'], few: readonly string[]): InterestCounts['bySchool'] {
  const missing = new Set(few)
  const asked = schools.map((school) => ({
    ...school,
    questions: missing.delete(school.highSchoolId) ? FEW : withheldCount(school.questions),
  }))
  return [...asked, ...[...missing].map((highSchoolId) => ({ highSchoolId, ...NONE, questions: FEW }))]
}

/** `few`, `fewBefore`: how many schools have one to four declarations for the cohort, and for the one before. */
export function withheldHeadline(
  { cycleDay, now, before, beforeInAll }: Headline,
  { few, fewBefore }: { few: number; fewBefore: number },
): Headline {
  return {
    cycleDay,
    now: plusFew(now, few),
    before: before && withoutFew(before),
    beforeInAll: beforeInAll && plusFew(beforeInAll, fewBefore),
  }
}

/** A period in whole weeks. */
export function inWholeWeeks({ schools, from, to }: InterestSelection): InterestSelection {
  return {
    schools,
    from: Number.isFinite(from) ? Math.min(from, mondayOf(from)) : from,
    to: Number.isFinite(to) ? mondayOf(to) + 6 : to,
  }
}

/** Days that are fewer than five apart are told with the next that is not, the last ones with the last of all. */
function inSteps(days: YearDays['declarations']): Map<number, number> {
  const told: [day: number, count: number][] = []
  for (const [day, count] of [...days].toSorted(([a], [b]) => b - a)) {
    const later = told.at(-1)
    if (later !== undefined && later[1] < LEAST_GROUP) later[1] += count
    else told.push([day, count])
  }
  const [first, second] = told.toReversed()
  if (first === undefined || second === undefined || first[1] >= LEAST_GROUP) return new Map(told)
  return new Map([...told.slice(0, -2), [second[0], first[1] + second[1]]])
}
