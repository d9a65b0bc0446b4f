import type { PageSearchParams } from '@/components/inbox/inbox-screen'
import { listMetadata, ListPage } from '@/app/(desk)/list-page'

export const generateMetadata = () => listMetadata('declarations-of-interest')

export default function DeclarationsPage({ searchParams }: { searchParams: PageSearchParams }) {
  return <ListPage list="declarations-of-interest" searchParams={searchParams} />
}
