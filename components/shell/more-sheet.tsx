'use client'

import { useTranslations } from 'next-intl'
import { Dialog } from '@/components/ui/dialog'
import { ViewsNav } from '@/components/views/views-nav'
import { AdminGroup } from './admin-group'
import type { Screen } from './screens'

type MoreSheetProps = { admin: readonly Screen[]; hasViews: boolean; onClose: () => void }

/** What has no place in the bar along a phone's lower edge. */
export function MoreSheet({ admin, hasViews, onClose }: MoreSheetProps) {
  const t = useTranslations('shell')
  return (
    <Dialog open onClose={onClose} title={t('more')} shape="sheet">
      <div className="flex flex-col gap-4 overflow-y-auto px-3 pb-4">
        {hasViews && <ViewsNav onGone={onClose} />}
        {admin.length > 0 && <AdminGroup screens={admin} />}
      </div>
    </Dialog>
  )
}
