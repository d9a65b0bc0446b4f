import type { ReactNode } from 'react'
import { selectPermittedScreens } from '@/components/app/screens'
import { type MessageAreas, ClientMessages } from '@/components/app/client-messages'
import { Providers } from '@/components/shell/providers'
import { Shell } from '@/components/shell/shell'
import { FEED_LISTS } from '@/lib/contract/lists'
import { requirePageViewer } from '@/server/http/page-viewer'
import { may } from '@/server/access/viewer'
import { env } from '@/server/base/env'
import { readFeedStatus } from '@/server/leads/feed-status'
import { getServices } from '@/server/base/services'
import './print.css'
import { listKnownSchools } from './desk-page'

export default async function DeskLayout({ children }: { children: ReactNode }) {
  // The status is read first, so that it has everything that the page then lacks.
  const { lists } = readFeedStatus(getServices())
  const missing = FEED_LISTS.filter((list) => lists[list] === null)
  const viewer = await requirePageViewer(getServices())
  const highSchools = await listKnownSchools(viewer)
  const { name, email, role } = viewer
  const leadAreas: MessageAreas = may(viewer, 'leads:read') ? ['inbox', 'lead'] : []
  return (
    <ClientMessages areas={['trouble', 'shell', 'status', ...leadAreas]}>
      <Providers user={{ id: viewer.id, name, isAdmin: may(viewer, 'admin') }}>
        <Shell
          account={{ name, email, role }}
          highSchools={highSchools}
          screens={selectPermittedScreens(viewer.permissions)}
          isDemo={env().mode === 'demo'}
          missingLists={missing}
        >
          {children}
        </Shell>
      </Providers>
    </ClientMessages>
  )
}
