import { ChartColumn, Hourglass } from 'lucide-react'
import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { InterestFigures } from '@/components/interest/interest-figures'
import { interestGrid } from '@/components/interest/interest-grid'
import { InterestTable } from '@/components/interest/interest-table'
import { NoAccess } from '@/components/shell/no-access'
import { EmptyState } from '@/components/ui/empty-state'
import { stockholmDay } from '@/lib/time/stockholm-day'
import { pageViewer, type Viewer } from '@/server/access/viewer'
import { NotReadyError } from '@/server/errors'
import { interestOverview } from '@/server/interest/interest-overview'

type SearchParams = Promise<Record<string, string | string[] | undefined>>

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('interest')
  return { title: t('title') }
}

export default async function InterestPage({ searchParams }: { searchParams: SearchParams }) {
  const viewer = await pageViewer()
  if (!viewer.permissions.has('interest:read')) return <NoAccess role={viewer.role} />
  const [t, { school = [] }, counts] = await Promise.all([getTranslations('interest'), searchParams, overview(viewer)])
  if (counts === null) {
    return (
      <EmptyState icon={<Hourglass />} isScreen title={t('notReadyTitle')}>
        {t('notReadyBody')}
      </EmptyState>
    )
  }
  const thisYear = Number(stockholmDay(Date.now()).slice(0, 4))
  const grid = interestGrid(counts, thisYear, [school].flat())
  return (
    <div className="flex h-full flex-col gap-5 p-4 desk:px-8 desk:py-7">
      <header className="flex flex-wrap items-end justify-between gap-x-10 gap-y-4">
        <div>
          <h1 className="text-lg font-semibold">{t('title')}</h1>
          <p className="text-sm text-mute">{t('lead')}</p>
        </div>
        <InterestFigures total={grid.total} />
      </header>
      {grid.total.total + grid.total.questions === 0 ? (
        <EmptyState icon={<ChartColumn />} title={t('emptyTitle')}>
          {t('emptyBody')}
        </EmptyState>
      ) : (
        <InterestTable grid={grid} />
      )}
    </div>
  )
}

async function overview(viewer: Viewer) {
  try {
    return await interestOverview(viewer)
  } catch (error) {
    if (error instanceof NotReadyError) return null
    throw error
  }
}
