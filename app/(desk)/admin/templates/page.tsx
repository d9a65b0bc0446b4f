import { deskPage } from '@/app/(desk)/desk-page'
import { TemplatesScreen } from '@/components/admin/templates-screen'
import { listTemplates } from '@/server/desk/reply-templates'
import { services } from '@/server/services'

const { generateMetadata, Page } = deskPage({
  title: (t) => t('templates.title'),
  permission: 'admin',
  path: '/admin/templates',
  areas: ['templates'],
  screen: async ({ viewer }) => <TemplatesScreen initial={(await listTemplates(services(), viewer)).templates} />,
})

export { generateMetadata, Page as default }
