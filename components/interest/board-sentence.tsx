import { useFormatter, useTranslations } from 'next-intl'
import { Fragment, type ReactNode } from 'react'
import type { InterestPage } from '@/lib/interest/interest-page'
import { type Clause, sentence, type SentenceWords } from '@/lib/interest/sentence'
import { BOARD_ID, rowId } from './board-table'
import { CURVES_ID } from './curves-chart'
import { comparedYear, hasBegun, useCountFormat, useShare, useSignedShare } from './figure-words'

/** What there is to say, each part with a link to where it is shown. */
export function BoardSentence({ page }: { page: InterestPage }) {
  const t = useTranslations('interest.sentence')
  return (
    <p className="max-w-[66rem] text-xl leading-snug font-semibold tracking-tight text-pretty wrap-anywhere desk:text-[1.5rem] print:text-[1.4rem]">
      {sentence(page, useWords(page)).map(({ message, values, leadsTo }) => (
        <Fragment key={message}>{t.rich(message, { ...values, link: linkTo(idOf(leadsTo, page)) })} </Fragment>
      ))}
    </p>
  )
}

function idOf(leadsTo: Clause['leadsTo'], page: InterestPage): string {
  if (leadsTo === 'curves' && hasBegun(page)) return CURVES_ID
  return typeof leadsTo === 'string' ? BOARD_ID : rowId(leadsTo.school)
}

const linkTo = (id: string) => (words: ReactNode) => (
  <a
    href={`#${encodeURIComponent(id)}`}
    className="underline decoration-accent/45 decoration-[1.5px] underline-offset-4 hover:decoration-accent print:no-underline"
  >
    {words}
  </a>
)

function useWords(page: InterestPage): SentenceWords {
  const t = useTranslations('interest.sentence')
  const format = useFormatter()
  const share = useShare()
  const { isLastYear, isOver } = comparedYear(page)
  const exact = new Map([
    [50, t('half')],
    [33, t('third')],
  ])
  return {
    count: useCountFormat().say,
    change: useSignedShare(),
    share: (part) => exact.get(Math.round(part * 100)) ?? share(part),
    list: (years) => format.list(years.map(String), { type: 'conjunction' }),
    before: t(`before.${isOver ? 'inAll' : isLastYear ? 'lastYear' : 'yearBefore'}`),
  }
}
