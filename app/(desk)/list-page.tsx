import type { Metadata } from 'next'
import { getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import { refusedPage } from '@/app/(desk)/refused-page'
import { InboxScreen, type InboxScreenProps, type PageSearchParams } from '@/components/inbox/inbox-screen'
import { readLeadPage } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { askedFrom } from '@/server/activity/asked-from'
import { addressOf } from '@/server/http/front-door'
import { listHighSchools } from '@/server/leads/high-schools'
import { listCounts } from '@/server/leads/list-counts'
import { listLeads } from '@/server/leads/list-leads'
import { services } from '@/server/services'

/** The page of either list. */
export async function ListPage({ list, searchParams }: { list: LeadList; searchParams: PageSearchParams }) {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'leads:read')) return refusedPage(viewer, LISTS[list].href)
  const address = addressOf({ headers: await headers() })
  const readPage: InboxScreenProps['readPage'] = async (query) =>
    readLeadPage(list, await askedFrom(address, () => listLeads(services(), viewer, list, query)))
  return (
    <InboxScreen
      list={list}
      searchParams={searchParams}
      readPage={readPage}
      readSchools={() => listHighSchools(services(), viewer)}
      readCounts={(filter) => listCounts(services(), viewer, { list, ...filter })}
    />
  )
}

export async function listMetadata(list: LeadList): Promise<Metadata> {
  const t = await getTranslations(`inbox.${list}`)
  return { title: t('title') }
}
