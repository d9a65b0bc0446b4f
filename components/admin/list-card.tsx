import { useTranslations } from 'next-intl'
import type { ListReport, ReportedList } from '@/lib/contract/feed-report'
import { FetchHistory } from './fetch-history'
import { HealthMark } from './health-mark'
import { ListFigures } from './list-figures'
import { listHealth } from './list-health'
import { ListProblem } from './list-problem'
import { SetAsideRecords } from './set-aside-records'

type ListCardProps = { list: ReportedList; report: ListReport; now: number }

/** All about one list: how it fares, what to do if it does not, its figures, its latest fetches, what could not be read. */
export function ListCard({ list, report, now }: ListCardProps) {
  const t = useTranslations('admin.status')
  const health = listHealth(report)
  return (
    <section
      aria-labelledby={list}
      className="flex flex-col gap-4 rounded-lg border border-line bg-panel p-4 shadow-card desk:px-5"
    >
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <h2 id={list} className="text-base font-semibold">
          {t(`list.${list}`)}
        </h2>
        <p className="flex items-center gap-1.5 text-sm text-mute">
          <HealthMark health={health} />
          {t(`health.${health}`)}
        </p>
      </header>
      <ListProblem report={report} now={now} />
      <div className="grid gap-x-8 gap-y-5 desk:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <ListFigures report={report} now={now} />
        <FetchHistory list={list} history={report.history} />
      </div>
      <SetAsideRecords list={list} report={report} />
    </section>
  )
}
