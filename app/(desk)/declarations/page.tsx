import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { InboxScreen, type PageSearchParams } from '@/components/inbox/inbox-screen'
import { NoAccess } from '@/components/shell/no-access'
import { readDeclarations } from '@/lib/api/declarations-of-interest'
import { pageViewer } from '@/server/access/viewer'
import { listHighSchools } from '@/server/high-schools/list-high-schools'
import { listDeclarations } from '@/server/leads/list-declarations'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('inbox.declarations-of-interest')
  return { title: t('title') }
}

export default async function DeclarationsPage({ searchParams }: { searchParams: PageSearchParams }) {
  const viewer = await pageViewer()
  if (!viewer.permissions.has('leads:read')) return <NoAccess role={viewer.role} />
  return (
    <InboxScreen
      list="declarations-of-interest"
      searchParams={searchParams}
      readPage={async (query) => readDeclarations(await listDeclarations(viewer, query))}
      readSchools={() => listHighSchools(viewer)}
    />
  )
}
