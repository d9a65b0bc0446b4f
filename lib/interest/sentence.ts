import type { Count } from '@/lib/contract/interest'
import { sizeOf } from './axis'
import { type Finding, findings } from './findings'
import type { InterestPage } from './interest-page'

/** How numbers and years are written in the reader's language. */
export type SentenceWords = {
  count: (count: Count) => string
  /** `−2 %`. */
  change: (share: number | null) => string
  /** `50 %`. */
  share: (share: number) => string
  list: (years: readonly number[]) => string
  /** What is compared with: `i fjol vid samma tid`. */
  before: string
}

/** A message of `interest.sentence`, its values, and where it leads: to a school's row, or to all schools together. */
export type Clause = {
  message:
    | `total.${'none' | 'alone' | 'up' | 'down' | 'about' | 'within-chance'}`
    | `rises${'Most' | ''}`
    | `falls${'Most' | ''}${'AndMisses' | ''}`
    | 'record'
    | 'misses'
    | 'missesInAll'
  values: typeof NO_VALUES
  leadsTo: { school: string } | 'curves' | 'total'
}

const NO_VALUES = { n: 0, count: '', year: '', share: '', before: '', years: '', school: '', goal: '' }

export function sentence({ board, cohort }: Pick<InterestPage, 'board' | 'cohort'>, words: SentenceWords): Clause[] {
  return findings(board).map((finding) => {
    const { values, ...clause } = clauseOf(finding, cohort, words)
    return { ...clause, values: { ...NO_VALUES, ...values } }
  })
}

type GivenClause = Omit<Clause, 'values'> & { values: Partial<Clause['values']> }

function clauseOf(finding: Finding, cohort: number, words: SentenceWords): GivenClause {
  switch (finding.is) {
    case 'total': {
      const { count, by, change } = finding
      const is = count === 0 ? 'none' : by === null ? 'alone' : (change ?? 'alone')
      const values = { n: sizeOf(count), count: words.count(count), year: String(cohort) }
      const compared = { share: words.change(by), before: words.before }
      return { message: `total.${is}`, values: { ...values, ...compared }, leadsTo: 'curves' }
    }
    case 'record':
      return { message: 'record', values: { years: words.list(finding.years) }, leadsTo: 'curves' }
    case 'rises':
    case 'falls': {
      const { is, school, by, isMost, withinGoal } = finding
      const values = { school: school.name, share: words.change(by), goal: words.share(withinGoal ?? 0) }
      const most = isMost ? 'Most' : ''
      const message =
        is === 'rises' ? (`rises${most}` as const) : (`falls${most}${withinGoal === null ? '' : 'AndMisses'}` as const)
      return { message, values, leadsTo: { school: school.id } }
    }
    case 'goal-missed': {
      const { school, withinGoal } = finding
      const goal = words.share(withinGoal)
      if (school === null) return { message: 'missesInAll', values: { goal }, leadsTo: 'total' }
      return { message: 'misses', values: { school: school.name, goal }, leadsTo: { school: school.id } }
    }
    default:
      return finding satisfies never
  }
}
