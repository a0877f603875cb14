"""The Chinese words that say how a statement is built, as tables."""

# What a word does in a statement. A word that is not here says what it is about.
_ROLES = """
be: 是 担任 出任 为 叫 叫做 等于 名为
prep: 每 高于 低于 大于 小于 多于 少于 早于 晚于 不超过 不少于 在 于 从 由 到 至 给 对 向 往 跟
prep: 和 与 把 将 按 通过 用于 让 比 自 以 经 经由 再 之前 之后 以后
filler: 被 先 并 并且 了 着 都 已 已经 均 正在 正 就 才 目前 总是 一直 始终 永远 仍 仍然
filler: 依然 还是 主要 一律 统一 的话 将会 直接 只 仅 进行
will: 会
not: 不 没 未 非 别 勿 从不 从来不 从未 永不 绝不 决不 尚未 并未 还没 还没有 没有 并不 并非 不是
not: 不要 不准 不许 不得 不能 不可 不可以 不会 不应 不应该 不应当 切勿 严禁 禁止 无需 无须 不必
not: 不用 毋须 不需要 不需 无法 请勿 暂不 概不
also: 也 还 另外 此外 又 还有 同样
maybe: 可能 也许 或许 大概 似乎 好像 估计 据说 假设 听说 怀疑 猜测
plan: 打算 拟 考虑 有意 计划搬 计划换 计划迁移 计划改 计划升级 想搬 想换 准备搬 准备换
must: 必须 必需 务必 应该 应当 应 须 需 要 得 需要 一定要
may: 可以 可 能 能够 允许 准许 可用于
past: 曾 曾经 以前 过去 原来 原先 从前 小时候 当年 此前 原本
ask: 吗 呢 什么 多少 哪里 哪个 哪些 哪儿 谁 怎么 为什么 几点 是否 如何
now: 现在 如今 现已 现 今后 从现在起 从今天起 即日起 目前已
sub: 如果 若 假如 要是 当 一旦 除非 因为 由于 所以 因此 为了 虽然
contrast: 而不是 而非 代替了 而不用
no more: 不再 已不 已经不 已不再 已经不再 不复 早已不 停止
often: 每天 每日 每周 每月 每年 每小时 每晚 每分钟 每秒
how: 自动 手动 人工 手工 并行 串行 异步 远程 线下 线上 在线 离线 批量 逐个 实时 定期 分批
的: 的
"""
# Words that hold a character of the tables and mean something else.
_WHOLE = """
进行中 已完成 未开始 未完成 正常 异常 正式 抽屉 已婚 已付
用户 使用者 应用 费用 信用 专用 通用 常用 作用 效用 备用 公用 实用 用例 用途 用法 租用卡 用餐
不同 不错 不过 不仅 不但 不少 不断 不良 不动产 不锈钢 不久 不足 差不多 对不起 不丹 不等 不时
坐标 静坐 写权限 读权限
读写权限 连接数 并发数 请求数 重试数 已付款 未付款 已支付 未支付 开发经理 开发工程师 开发者 开发组
没收 没关系 没问题 没落 无线 无人机 无锡 无人 无限 无关 无缝 无障碍 无效 无法 无值守 非洲 非常
非凡 未来 未知 未婚 未名湖 特别 区别 级别 类别 分别 性别 别名 别墅 告别 识别 个别 别人 是否 但是
于是 还是 总是 就是 要是 可是 凡是 只是 若是 硬是 在线 正在 存在 所在 内在 潜在 自在 实在 在职
在校 在读 在野 在乎 在意 在于 在编 要求 主要 重要 必要 摘要 纪要 要素 要点 概要 简要 首要 次要
提要 站会 月会 季会 组会 班会 复盘会 研讨会 大会 峰会 董事会 交流会 分享会 培训会 座谈会 沟通会
同步会 自动化 人工智能 自己 自身 各自 亲自 自定义 自建 自研 并行 并发 并存 并列 合并 没有人 没人
有状态 无状态 有空 没空 有货 缺货 有线 有序 无序 找到 寻找 会议 会员 机会 协会 社会 晚会 例会
周会 早会 年会 会话 工会 开会 会计 启动会 评审会 会议室 委员会 发布会 能力 功能 性能 智能 能源
能量 节能 可能性 可用 可靠 可爱 许可 可乐 可见 到期 到达 达到 收到 得到 迟到 报到 到场 签到 遇到
到底 认为 作为 行为 以为 成为 因为 为止 为期 为主 为首 称为 分为 对象 对比 绝对 面对 相对 针对
反对 对话 对账 对接 对方 对手 校对 核对 派对 方向 向量 向导 导向 转向 倾向 志向 定向 双向 单向
从事 从来 自从 服从 从而 从容 由于 自由 理由 路由 路由器 缘由 由来 给予 供给 补给 被动 被子 把握
把关 将来 将军 即将 让步 转让 做法 作者 工作 合作 操作 写作 制作 动作 工作日 工作流 工作节点
工作组 工作台 当前 当地 当时 当事人 过程 通过 超过 经过 过滤 过期 过敏 过去 过年 改进 修改 改善
改革 改造 整改 改变 改版 换行 更换 交换 转换 替换 兑换 设备 设计 设施 设置 设定 建设 假设 设想
开设 设计师 设计稿 住址 住宅 居住 住院 住房 住户 记住 保住 和平 和谐 总和 温和 饱和 参与 与会
与其 跟踪 跟进 跟随 随和 叫声 名叫 也许 也门 还款 还原 归还 偿还 退还 还剩 又名 时间 时区 时候
同时 及时 实时 临时 小时 时长 时刻 时效 超时 延时 定时 计时 时段 准时 时装 比例 比如 比较 比赛
百分比 占比 性价比 曾经 曾祖 原来 原因 原型 原则 原文 原子 原生 了解 得分 的确 目的 地址 地点
地区 地方 地图 基地 本地 场地 地铁 地下室 土地 地理 地板 目的地 产地 着手 着火 沿着 意味着 都市
首都 都柏林 成都 都江堰 已知 已读 均衡 平均 就业 就餐 就绪 成就 才能 人才 才艺 仅限 喜欢 爱好
爱人 爱尔兰 爱丁堡 热爱 有效 有效期 有限 没有 所有 拥有 有关 有权 有时 只有 还有 有意 有机 持有
有的 有人 公有 私有 国有 跑步 慢跑 晨跑 跑道 放弃 开放 发放 放假 播放 释放 排放 放大 放射 放映
定期 定价 约定 规定 固定 稳定 决定 一定 确定 预定 制定 定位 定制 定义 指定 特定 定金 定稿 否定
法定 锁定 绑定 选项 选手 候选 选举 选区 筛选 首选 可选 选填 精选 自选 选址 做出 当选 存款 库存
缓存 内存 存储 现存 存量 存货 存档 留存 学校 学生 大学 学习 学院 学期 学员 文学 科学 数学 学位
同学 学历 看板 看法 看门 吃饭 吃力 小吃 喝彩 买家 买卖 看台 养老 写字楼 拼写 改写 写入 写法 说明
说法 小说 据说 传说 解说 说明书 见面 意见 常见 会见 见习 听见 看见 见解 现场 现金 实现 发现 表现
出现 呈现 体现 现状 现成 变现 现货 再见 再次 再说 不再 先生 优先 优先级 首先 先进 预先 祖先 先前
事先 领先 停车 停车场 停车位 调整 离线 离职 距离 离婚 隔离 分离 离开 加入 进入 退出 安装 安排
安全 安徽 由此 时代 时尚 只读 只能 最好 最少 至少 至今 甚至 及至 以至 冬至 夏至 以及 以上 以下
以内 以外 以前 以后 可以 所以 难以 得以 加以 用以 予以
"""
# What denies that something must be, and not that it is.
WAIVED = frozenset("无需 无须 不必 毋须 不需要 不需".split())
BE_NOT = frozenset("不是 并非".split())
# One more way to do it, which has taken the place of another.
_NEW_USES = """
用: 改用 换用 转用 改为使用 已改用 现用 改成用 换成用 改为用 转而使用 转为使用
由: 改由 现由 现在由
在: 改在
走: 改走
从: 改从
喝: 改喝
吃: 改吃
坐: 改坐
乘: 改乘
住: 改住 现住
为: 现为
"""
WE = frozenset("我们 咱们 团队 本组 本团队 公司".split())
PLACES = frozenset("上 里 中 内 上面 里面 那里 这里 处".split())  # after a noun: at it
SURNAMES = (
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎"
    "余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文"
)
COMPOUNDS = ("服务器", "节点", "主节点", "从节点", "脚本", "集群", "策略", "流程", "窗口", "环境")
NOUN_ENDINGS = frozenset("器者员率量费期室部组科师商性度端")  # that make a noun of a verb

# Ends of nouns of which a thing has one: "the port of X is". The values may be any words.
ATTRIBUTES = tuple(
    "端口 端口号 版本 版本号 地址 邮箱 电话 手机号 手机 号码 密码 口令 生日 价格 售价 单价 费用"
    " 费 预算 成本 租金 工资 薪资 押金 日期 时间 截止日 到期日 期限 有效期 负责人 经理 组长 主管"
    " 上级 领导 总监 老板 队长 主席 会长 店长 主编 名称 名字 代号 别名 昵称 颜色 语言 主题 模式"
    " 状态 优先级 等级 级别 上限 下限 限额 阈值 超时 间隔 频率 大小 尺寸 长度 宽度 高度 重量"
    " 数量 总数 目录 路径 域名 网址 分支 区域 时区 地点 位置 职位 岗位 角色 职务 格式 编码 单位"
    " 货币 策略 方式 风格 渠道 住址 年龄 身高 体重 配额 容量 温度 保留期 周期 账号 用户名 比例"
    " 余额 税率 利率 汇率 频道 群 吉祥物 口号 首都 籍贯 国籍 血型 学历 专业 联系人 对接人 owner"
    " CEO CTO CFO 所有者 维护者 主持人 接口人 产品负责人 年会 婚礼 财务总监 限制 限重 面积 人口"
    " 水深 体长 月费 年费 厂商 品牌 型号 规格 城市 基线 目标值 人数 天数 次数 保质期 交期"
    " 账期 值班人 审批人 主讲人 发言人 房东 司机 保姆 牙医 班主任 教练 男朋友 女朋友"
    " 男友 女友 老婆 老公".split()
)
# Ends of roles that a thing fills, so that what is called after them is another one.
TOOLS = tuple(
    "会议室 工具 框架 引擎 数据库 编辑器 供应商 平台 镜像 服务器 餐厅 系统 语言 库 方案 浏览器"
    " 字体 图标 标志 伙伴 模型 操作系统 团建 银行 酒店 航司 仓库 妻子 丈夫 配偶".split()
)
# Of these there are many, so that another value contradicts nothing.
MANY = tuple(
    "问题 原因 目标 优点 缺点 风险 需求 功能 爱好 朋友 同事 成员 建议 规则 任务 步骤 特点 好处"
    " 理由 例子 选项 技能 经验 教训 注意事项 待办 之一 方法 办法 措施 挑战 难点 亮点 要点"
    " 症状".split()
)
ONE = ("最喜欢", "最爱", "默认", "首选", "唯一", "官方", "现任", "当前", "最常用", "指定")
# What is said of a version that is the one in use, so that another excludes it.
CURRENT = frozenset("部署 上线 发布 使用 运行 安装 生效 启用".split())
# What somebody alone does for a thing.
HEADING = frozenset("带领 领导 主管 牵头 负责 主持 担任".split())
# Verbs that a time may stand before: 早会九点开始.
TIMED = frozenset(
    "开始 结束 开门 关门 发车 出发 抵达 到期 举行 召开 截止 运行 执行 备份 生成 发布 失效 生效"
    " 开会 上线 起飞 入职 离职 报到 上班 下班 开学 开饭 闭馆 开馆 放假 休息 值班 发送 提交"
    " 起床 睡觉 吃饭 吃 吃药 上课 下课 发薪".split()
)
# What a number before them names: the fourth room is another room.
ORDINAL_UNITS = frozenset("号 章 节 步 页 层 楼 期 轮 届 版 季度 批 代".split())

# The first class that has a verb decides.
_CLASSES = """
choose: 找 联系 使用 采用 选用 选择 用 选定 选了
prefer: 偏好 偏爱 更喜欢 倾向于 倾向 习惯用 更爱 更偏好 优先使用
want: 想要 希望 要求 期望
like: 会拉 包含 包括 支持 跑着 参加 参观 负责 喜欢 喜爱 讨厌 热爱 会说 在学 学习 收集 养 买 去
like: 去过 见了 认识 拥有 有 吃 喝 会弹 爱吃 爱喝
do: 输出 间隔 超过 限流 承接 开发 工作 加入 租用 抽 开会 起飞 进行 否决 驳回 采纳 带领 领导 领取
do: 入职 读 教 删除 清除 清空 去掉 显示 展示 隐藏 添加 移除 上传 下载 发送 卖 连接 签名 签 重启
do: 重试 推送 拉取 触发 忽略 压缩 加密 迁移 发布 备份 缓存 记录 监听 同步 提交 合并 生成 轮换
do: 过期 通过 失败 成功 值班 排在 花费 耗时 占用 上线 关门 关闭 开启 启用 禁用 停用 打开 发车
do: 出发 抵达 走 做 托管 安装 挂载 同意 反对 赞成 抽烟 排除 失效 生效 供职 效力 上班 汇报 维护
do: 保管 管理 主持 处理 审批 安排 预约 预定 举行 召开 开始 结束 截止 到期 开门 实习 办公 需要
do: 坐 依赖 保留 保存 接受 拒绝 运行 执行 部署 存储 存放 返回 写 撰写 编写 住 居住 定居 位于 坐落
do: 就职 任职 过敏 教书 上学 读书 就读
"""
# Relations of which a thing has one at a time. Each line: the class, then verbs with the words
# that may stand before the value ("-" for none).
_SINGLE = """
place: 住/在 居住/在 居住/于 定居/在 定居/于 位于/- 住/- 坐落/在 坐落/于
host: 部署/在 部署/于 部署/到 运行/在 放/到 存/到 写/到 上传/到 保存/到 存放/在 存放/于 存/在
host: 存储/在 保存/在 存储/到 托管/在 放/在 安装/在 挂载/在 跑/在
work: 就职/于 任职/于 供职/于 效力/于
report: 汇报/给
time: 安排/在 安排/于 定/在 定/于 设/在 约/在 预约/在 预定/在 排在/- 举行/于 开始/于 截止/到
time: 截止/于
cost: 花费/- 卖/- 耗时/-
net: 返回/- 输出/- 监听/- 监听/在
"""
# The same, where the value stands between a word and the verb: 在上海工作.
_AROUND = """
work: 在/工作 在/上班 在/上学 在/读书 在/教书 在/就读 在/任职 在/就职 在/供职 在/做
work: 在/当 在/担任 在/实习
place: 在/居住 在/住 在/定居
desk: 在/办公
time: 在/举行 在/召开 在/开 在/开会 在/进行 于/到期 于/举行 于/召开 于/开始 于/结束
time: 于/截止 于/发布 于/上线 在/到期 在/开始 在/结束 在/截止 从/开始
host: 在/运行 在/部署 在/托管 在/存放 在/存储 在/保存
report: 向/汇报
person: 由/负责 由/维护 由/保管 由/管理 由/主持 由/撰写 由/编写 由/处理 由/审批 由/写 由/担任
person: 由/出任 由/兼任 由/接管 由/牵头 由/主导 由/运营 由/设计 由/开发 由/审核 由/提供 由/承办
"""
# Verbs of change, by what changes.
_CHANGES = """
any: 改为 改成 变为 变成 换成
any: 换为 更换为 替换为 替换成
any: 调整为 变更为 更改为 修改为
any: 切换为 切换到 切换成 转为
any: 取代为 设为 设置为 设成
any: 调为 改到 调整到 变更到
any: 更新为
name: 更名为 改名为 改名叫 重命名为 改称
amount: 升级到 升级为 升到 升至 降级到 降级为 降到 降至 降为 涨到 涨至 涨为
amount: 上调到 上调至 上调为 下调到 下调至 下调为 提高到 提高至 提升到 提升至
amount: 提升为 增加到 增加至 增加为 增至 减少到 减少至 减至 缩短到 缩短至
amount: 缩短为 延长到 延长至 延长为 扩大到 扩容到 扩到 缩减到 缩减至 削减到
amount: 削减至 放宽到 放宽至 收紧到 上升到 下降到 上升至 下降至 增长到 调高到
amount: 调低到 提到 压缩到 压到 减到 加到
place: 调到 搬到 搬至 搬去 搬往 迁到 迁至 迁往 迁移到 迁移至
place: 转移到 转移至 搬迁到 搬迁至 移居 定居到 转到 调往 切到
place: 切换至
time: 改签到 改约到 改签至 推迟到 推迟至 延期到 延期至 延后到 延后至 提前到 提前至 改期到 改期至
time: 改期为 改至 挪到 顺延到 顺延至 移到 移至
person: 移交给 转交给 交给 交接给 转给
replace: 代替 取代 替代 替换 顶替 接替
work: 跳槽到 转投
"""
# The classes of relation whose value they replace ("*": of a figure, any).
_REPLACED = {
    "any": "at be choose use host place time net prefer cost person name work *",
    "amount": "be cost choose host do *",
    "place": "at place host time work choose use be person",
    "time": "be time at place host",
    "name": "be name",
    "person": "person be",
    "replace": "be choose host person",
    "work": "work",
}
REPLACING = frozenset("代替 取代 替代 替换 顶替 接替".split())  # the new one stands before them
# Verbs that end a relation with what they name.
_LEAVING = """
work at: 离开 离职 辞职 退出 告别
choose: 弃用 停用 废弃 放弃 淘汰 下线 停止使用 不再使用 不再用 取消 移除 抛弃
"""


def _table(text: str) -> dict[str, str]:
    """Return the words of *text* with what stands before the colon of their line."""
    found: dict[str, str] = {}
    for line in text.strip().split("\n"):
        name, _, words = line.partition(": ")
        for word in words.split():
            found.setdefault(word, name)
    return found


def _pairs(text: str) -> dict[tuple[str, str], str]:
    found = {}
    for pair, name in _table(text).items():
        one, _, other = pair.partition("/")
        found[one, other] = name
    return found


ROLES = _table(_ROLES)  # role by word
WHOLE = frozenset(
    (*_WHOLE.split(), *(noun for noun in (*ATTRIBUTES, *TOOLS, *MANY) if len(noun) > 1))
)
NEW_USES = _table(_NEW_USES)  # word by the word that says that it is new
VERBS = _table(_CLASSES)  # class by verb
SINGLE = _pairs(_SINGLE)  # class by verb and what stands before the value
AROUND = _pairs(_AROUND)  # class by what stands before the value and the verb after it
CHANGES = {verb: tuple(_REPLACED[name].split()) for verb, name in _table(_CHANGES).items()}
LEAVING = _table(_LEAVING)  # class by verb
