import { createDeskPage } from '@/app/(desk)/desk-page'
import { ExportsScreen } from '@/components/export/exports-screen'
import { exportHistoryQuerySchema } from '@/lib/contract/export'
import { getServices } from '@/server/base/services'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('export.history.title'),
  permission: 'leads:export',
  path: '/exports',
  messageAreas: ['export'],
  screen: async ({ viewer }) => (
    <ExportsScreen firstPage={await getServices().exportLog.readHistory(viewer, exportHistoryQuerySchema.parse({}))} />
  ),
})

export { generateMetadata, Page as default }
