import { createDeskPage } from '@/app/(desk)/desk-page'
import { listKnownSchools } from '@/app/(desk)/known-schools'
import { WorkScreen } from '@/components/admin/work-screen'
import { getAdmissionCycle } from '@/server/access/settings'
import { getServices } from '@/server/base/services'
import { getWorkSettings } from '@/server/leads/work-settings'
import { listTemplates } from '@/server/replies/reply-templates'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('work.title'),
  permission: 'admin',
  path: '/admin/work',
  messageAreas: ['work', 'templates'],
  screen: async ({ viewer }) => {
    const services = getServices()
    const [initialSettings, cycle, schools, { templates }] = await Promise.all([
      getWorkSettings(services, viewer),
      getAdmissionCycle(services, viewer),
      listKnownSchools(viewer),
      listTemplates(services, viewer),
    ])
    const canMail = services.mailer !== null
    return (
      <WorkScreen
        initialSettings={initialSettings}
        cycle={cycle}
        schools={schools}
        templates={templates}
        canMail={canMail}
      />
    )
  },
})

export { generateMetadata, Page as default }
