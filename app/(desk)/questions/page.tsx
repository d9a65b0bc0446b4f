import { createListPage } from '@/app/(desk)/list-page'

const { generateMetadata, Page } = createListPage('asked-questions')

export { generateMetadata, Page as default }
