import type { ReactNode } from 'react'
import { SentWords } from '@/components/desk/sent-words'
import { UnusualBanner } from '@/components/reading/unusual-banner'
import { pageViewer } from '@/server/access/page-viewer'
import { may } from '@/server/access/viewer'
import { services } from '@/server/services'

/** Shown above every admin screen: users who read more than usual. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  if (!may(await pageViewer(services()), 'admin')) return children
  return (
    <SentWords areas={['reading']}>
      <UnusualBanner />
      {children}
    </SentWords>
  )
}
