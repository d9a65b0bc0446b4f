import type { ReactNode } from 'react'
import { ClientMessages, type MessageAreas } from '@/components/app/client-messages'
import { selectPermittedScreens } from '@/components/app/screens'
import { Providers } from '@/components/shell/providers'
import { Shell } from '@/components/shell/shell'
import { FEED_LISTS } from '@/lib/contract/lists'
import { may } from '@/server/access/viewer'
import { env } from '@/server/base/env'
import { getServices } from '@/server/base/services'
import { requirePageSession } from '@/server/http/page-session'
import { readFeedStatus } from '@/server/leads/feed-status'
import { listKnownSchools } from './known-schools'
import './print.css'

export default async function DeskLayout({ children }: { children: ReactNode }) {
  const services = getServices()
  // The status is read first: data that comes while the page renders must not hide the notice of a list it lacks.
  const { lists } = readFeedStatus(services)
  const missingLists = FEED_LISTS.filter((list) => lists[list] === null)
  const { viewer } = await requirePageSession(services)
  const knownSchools = await listKnownSchools(viewer)
  const { id, name, email, role } = viewer
  const leadAreas: MessageAreas = may(viewer, 'leads:read') ? ['inbox', 'lead'] : []
  return (
    <ClientMessages areas={['trouble', 'shell', 'status', ...leadAreas]}>
      <Providers user={{ id, name, email, role, isAdmin: may(viewer, 'admin') }}>
        <Shell
          highSchools={knownSchools}
          screens={selectPermittedScreens(viewer.permissions)}
          isDemo={env().mode === 'demo'}
          missingLists={missingLists}
        >
          {children}
        </Shell>
      </Providers>
    </ClientMessages>
  )
}
