// SPDX-License-Identifier: Apache-2.0
import theme from 'vitepress/theme-without-fonts'
import VersionMenu from './VersionMenu.vue'
import './style.css'

export default {
  extends: theme,
  enhanceApp({ app }) {
    app.component('VersionMenu', VersionMenu)
  },
}
