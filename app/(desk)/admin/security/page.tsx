import { documentPage } from '@/app/(desk)/admin/document-page'

const { generateMetadata, Page } = documentPage('security')

export { generateMetadata, Page as default }
